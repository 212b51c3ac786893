import { describe, expect, test } from "vitest";
import { administrator, assign, listed } from "../support/assign.ts";
import { eventsOf } from "../support/events.ts";
import { type HeldTransaction, hold } from "../support/locks.ts";
import { changedAt, expectRefusal, notFound } from "../support/refusals.ts";
import { type Answer, serveSmallWorld } from "../support/server.ts";

const { server, root } = await serveSmallWorld({ poolSize: 10 });

function update(id: string, roleKeys: string[], more: object = {}): Promise<Answer> {
  return server.call("UpdateAuthorization", { id, roleKeys, ...more }, { token: root });
}

function remove(id: string, more: object = {}): Promise<Answer> {
  return server.call("DeleteAuthorization", { id, ...more }, { token: root });
}

function lock(id: string): Promise<HeldTransaction> {
  return hold(server.database, "select from authorizations where id = $1 for update", [id]);
}

/** Sends the calls one after the other while the authorization is locked, then lets them go in that order. */
async function race(id: string, calls: readonly (() => Promise<Answer>)[]): Promise<Answer[]> {
  return (await lock(id)).holdUp(calls);
}

/** What each event of the authorization says of its roles before. */
async function rolesBefore(id: string): Promise<string[][]> {
  const events = await server.database.query<{ keys: string[] }>(
    "select role_keys_before as keys from events where authorization_id = $1 order by sequence",
    [id],
  );
  return events.map(({ keys }) => keys);
}

const old = "2024-01-01T00:00:00Z";

describe("Racing changes of one authorization", () => {
  const owner = (id: string) => update(id, ["owner"]);
  const auditor = (id: string) => update(id, ["auditor"]);
  const both = (id: string) => update(id, ["owner", "auditor"]);
  const bothTurned = (id: string) => update(id, ["auditor", "owner"]);
  const ownerSince = (id: string) => update(id, ["owner"], { ifUnchangedSince: old });
  const removeSince = (id: string) => remove(id, { ifUnchangedSince: old });
  type Change = (id: string) => Promise<Answer>;

  test.each<[string, Change, Change, string[]]>([
    ["two updates happen one after the other", owner, auditor, ["changed owner", "changed auditor"]],
    ["a delete that comes after an update removes what was updated", owner, remove, ["changed owner", "removed"]],
    ["of two updates to the same set the second one is no change", both, bothTurned, ["changed auditor owner"]],
    ["two deletes make one event and answer the same date", remove, remove, ["removed"]],
  ])("%s", async (_what, one, other, made) => {
    const { id } = await assign(server.database);
    const answers = await race(id, [() => one(id), () => other(id)]);
    const events = (await eventsOf(server.database, id)).slice(1);
    const inShort = events.map(({ type, role_keys }) => [type.replace("user.grant.", ""), ...role_keys].join(" "));
    expect(inShort).toEqual(made);
    const [first, second] = answers.map(({ body }) => body.changeDate ?? body.deletionDate);
    expect([first, second]).toEqual([events[0]?.time, events.at(-1)?.time]);
    expect(first < second).toBe(made.length > 1);
  });

  test.each<[string, Change, Change]>([
    ["two updates from the same date", ownerSince, ownerSince],
    ["an update and a delete with a date", owner, removeSince],
    ["a delete and an update", remove, owner],
  ])("of %s one is made and the other hears of it", async (_what, one, other) => {
    const { id } = await assign(server.database);
    const [first, second] = await race(id, [() => one(id), () => other(id)]);
    expect(first?.status).toBe(200);
    expectRefusal(second as Answer, one === remove ? notFound : changedAt(first?.body.changeDate));
    expect(await eventsOf(server.database, id)).toHaveLength(2);
  });

  test("keep every rule in whatever order many of them come", async () => {
    const { id } = await assign(server.database, { changeDate: "2500-01-01T00:00:00Z" });
    const sets = [["owner"], ["auditor"], ["owner", "auditor"], [], ["seller"]];
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => update(id, sets[(n * 7) % 5] ?? [])));
    const removals = await Promise.all([remove(id), update(id, ["owner"]), remove(id), update(id, []), remove(id)]);
    const events = await eventsOf(server.database, id);
    const times = events.map(({ time }) => BigInt(time.replace(/\D/g, "").padEnd(20, "0")));
    expect(times.every((time, n) => n === 0 || time > (times[n - 1] ?? 0n))).toBe(true);
    const kept = events.filter(({ type }) => type !== "user.grant.removed").map(({ role_keys }) => `${role_keys}`);
    expect(kept.every((keys, n) => keys !== kept[n - 1])).toBe(true);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const told = new Set([...answers, ...removals].map(({ body }) => body.changeDate ?? body.deletionDate));
    expect(events.slice(1).every(({ time }) => told.has(time))).toBe(true);
    expect(events.filter(({ type }) => type === "user.grant.removed")).toHaveLength(1);
    expect(new Set(removals.map(({ body }) => body.deletionDate).filter(Boolean)).size).toBe(1);
  });
});

describe("What another transaction changes", () => {
  const replaceKeys = (held: HeldTransaction, id: string, key: string) =>
    held.query(
      `with dropped as (delete from authorization_roles where authorization_id = $1), changed as (
         update authorizations set change_date = '2025-01-01T00:00:00Z' where id = $1 returning *)
       insert into authorization_roles (authorization_id, project_id, project_grant_id, role_key)
       select id, project_id, project_grant_id, $2 from changed`,
      [id, key],
    );

  test("is what an update compares with, not what was there before it had to wait", async () => {
    for (const { asked, changes } of [
      { asked: "owner", changes: false },
      { asked: "auditor", changes: true },
    ]) {
      const { id } = await assign(server.database, { roleKeys: ["seller"] });
      const held = await lock(id);
      await replaceKeys(held, id, "owner");
      const [{ body }] = await held.holdUp([() => update(id, [asked])]);
      expect(body.changeDate !== "2025-01-01T00:00:00Z").toBe(changes);
      expect(await listed(server, id, root)).toMatchObject({ changeDate: body.changeDate, roles: [{ key: asked }] });
      expect((await rolesBefore(id)).slice(1)).toEqual(changes ? [["owner"]] : []);
    }
  });

  test("is not waited for by an update that changes nothing", async () => {
    const { id } = await assign(server.database, { roleKeys: ["seller"] });
    const held = await lock(id);
    await replaceKeys(held, id, "owner");
    expect((await update(id, ["seller"])).body).toEqual({ changeDate: old });
  });

  test("at the last date there is, when dates don't rise any more, is never overwritten", async () => {
    const last = "9999-12-31T23:59:59.999999Z";
    const { id } = await assign(server.database, { changeDate: last });
    const answers = await race(id, [() => update(id, ["owner"]), () => update(id, ["auditor"])]);
    expect(answers.map(({ body }) => body)).toEqual([{ changeDate: last }, { changeDate: last }]);
    expect(await rolesBefore(id)).toEqual([[], ["seller"], ["owner"]]);
    expect((await listed(server, id, root)).roles.map(({ key }: any) => key)).toEqual(["auditor"]);
  });

  test("is forgotten when it is undone", async () => {
    const { id } = await assign(server.database);
    const held = await hold(server.database, "delete from authorizations where id = $1", [id]);
    const updating = update(id, ["owner"], { ifUnchangedSince: old });
    await held.untilWaiting(1);
    await held.rollback();
    expect((await updating).status).toBe(200);
  });
});

describe("A locked authorization", () => {
  test("is never waited for by a caller who cannot see it, and neither is its project", async () => {
    const { id } = await assign(server.database);
    const strangers = [
      await administrator(server.database),
      await administrator(server.database, { organizationId: "globex", roles: ["ORG_OWNER"] }),
      await administrator(server.database, { projectGrantId: "shop-to-globex", roles: ["PROJECT_GRANT_OWNER"] }),
    ];
    const held = await lock(id);
    await held.query("select from projects where id = 'shop' for update");
    for (const token of strangers) {
      for (const rpc of ["UpdateAuthorization", "DeleteAuthorization"]) {
        const headers = { "connect-timeout-ms": "3000" };
        expectRefusal(await server.call(rpc, { id }, { token, headers }), notFound);
      }
    }
  });

  test("holds up no change of another one and no list", async () => {
    const [one, other] = [await assign(server.database), await assign(server.database)];
    await lock(one.id);
    expect((await update(other.id, ["owner"])).status).toBe(200);
    expect(await listed(server, one.id, root)).toBeDefined();
    expect((await remove(other.id)).status).toBe(200);
  });
});
