import { describe, expect, test } from "vitest";
import { diceOf } from "../../demo/dice.ts";
import { findWrong } from "../../src/postgres/check/check-numbers.ts";
import { removeAuthorizations } from "../support/append-events.ts";
import { administrator, assign, listed } from "../support/assign.ts";
import { applyChanges, projectGrant, remove, removeRole } from "../support/changes.ts";
import { eventsOf } from "../support/events.ts";
import { expectInvariants } from "../support/invariants.ts";
import { deadlocksIn, hold } from "../support/locks.ts";
import { expectRefusal, notFound } from "../support/refusals.ts";
import { type Answer, serveSmallWorld } from "../support/server.ts";
import { authorization, role, user } from "../support/world.ts";

const { server, root } = await serveSmallWorld({ poolSize: 10 });
await server.database.load(...Array.from({ length: 40 }, (_, index) => user(`user ${index}`, "initech")));

function call(rpc: string, request: object, headers = {}): Promise<Answer> {
  return server.call(rpc, request, { token: root, headers: { "connect-timeout-ms": "60000", ...headers } });
}

function lock(id: string) {
  return hold(server.database, "select from authorizations where id = $1 for update", [id]);
}

async function assignMany(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    ids.push((await assign(server.database, { organizationId: index % 2 ? "acme" : "globex" })).id);
  }
  return ids;
}

async function expectSound(): Promise<void> {
  await expectInvariants(server.database);
  expect(await findWrong({ connectionString: server.database.url })).toEqual([]);
  expect(server.log.filter(({ level }) => (level as number) >= 50)).toEqual([]);
  expect(await deadlocksIn(server.database)).toBe(0);
}

describe("Batches at once", () => {
  test("about the same in opposite order wait for each other, never in a circle", async () => {
    const ids = await assignMany(30);
    const items = ids.map((id) => ({ id }));
    const calls = Array.from({ length: 8 }, (_, index) => {
      const ordered = index % 2 ? items : items.toReversed();
      if (index < 4) {
        const roleKeys = index % 2 ? ["seller"] : ["auditor"];
        return call("BatchUpdateAuthorizations", { items: ordered.map((item) => ({ ...item, roleKeys })) });
      }
      return call("BatchSetState", { state: index % 2 ? "STATE_ACTIVE" : "STATE_INACTIVE", items: ordered });
    });
    for (const answer of await Promise.all(calls)) {
      expect(answer.body.results.map(({ error }: any) => error)).toEqual(ids.map(() => undefined));
    }
    await expectSound();
  });

  test("that create the same in opposite order make each once, and tell the others of it", async () => {
    const items = Array.from({ length: 30 }, (_, index) => ({
      userId: `user ${index}`,
      projectId: "shop",
      organizationId: index % 2 ? "acme" : "globex",
      roleKeys: ["seller"],
    }));
    const orders = [items, items.toReversed(), items, items.toReversed()];
    // So that all of them are in the middle when they go on.
    const held = await hold(
      server.database,
      `insert into authorizations (id, user_id, user_organization_id, project_id, organization_id, creation_date, change_date)
       select 'held', id, organization_id, 'shop', 'acme', now(), now() from users where id = 'user 15'`,
    );
    const calls = orders.map((order) => call("BatchCreateAuthorizations", { items: order }));
    await held.untilWaiting(4);
    await held.rollback();
    const answers = await Promise.all(calls);
    const results = answers.map(({ body }, index) => (index % 2 ? body.results.toReversed() : body.results));
    for (const index of items.keys()) {
      const created = results.flatMap((result) => result[index].success?.id ?? []);
      const told = results.flatMap((result) => result[index].error?.metadata.id ?? []);
      expect(created).toHaveLength(1);
      expect(told).toEqual([created[0], created[0], created[0]]);
    }
    await expectSound();
  });

  test("and a change of the directory that create the same in opposite order never wait in a circle", async () => {
    const place = { projectId: "depot", organizationId: "acme", roleKeys: ["keeper"] };
    const items = [14, 15, 16].map((index) => ({ userId: `user ${index}`, ...place }));
    const held = await hold(
      server.database,
      `insert into authorizations (id, user_id, user_organization_id, project_id, organization_id, creation_date, change_date)
       select 'held', id, organization_id, 'depot', 'acme', now(), now() from users where id = 'user 15'`,
    );
    const changes = items.map((item) => ({ authorization: { id: `applied ${item.userId}`, ...item } })).toReversed();
    const applying = server.callDirectory("ApplyChanges", { changes }, { token: root });
    await held.untilWaiting(1);
    const batch = call("BatchCreateAuthorizations", { items });
    await held.untilWaiting(2);
    await held.rollback();
    expect((await applying).body).toMatchObject({ applied: 3 });
    expect((await batch).body.results.map(({ error }: any) => error?.reason)).toEqual(
      Array(3).fill("AUTHORIZATION_EXISTS"),
    );
    await expectSound();
  });

  test.each([
    ["moved", "user 39", user("user 39", "globex")],
    ["removed", "user 38", remove({ userId: "user 38" })],
    ["renamed", "user 37", user("user 37", "initech", "Another name")],
  ])("and the directory wait for each other when a user is %s, never in a circle", async (what, userId, change) => {
    // They lie in the table in the opposite order of their ids.
    const places = [
      ["depot", "acme"],
      ["shop", "acme"],
      ["shop", "globex"],
      ["shop", "initech"],
    ] as const;
    const lines = places.map(([projectId, organizationId], index) =>
      authorization(`${what} ${4 - index}`, userId, projectId, organizationId, [], "2024-01-01T00:00:00Z"),
    );
    await server.database.load(...lines);
    const held = await lock(`${what} 2`);
    const items = [1, 2, 3, 4].map((number) => ({ id: `${what} ${number}` }));
    const [batch, applying] = await held.holdUp([
      () => call("BatchSetState", { state: "STATE_INACTIVE", items }),
      () => applyChanges(server, root, [change]),
    ]);
    expect(batch.body.results.map(({ success }: any) => typeof success)).toEqual(Array(4).fill("object"));
    expect(applying.body).toMatchObject({ applied: 1 });
    await expectSound();
  });

  test("with single calls and changes of the directory leave everything sound, without a circle", async () => {
    const dice = diceOf(6);
    const ids = await assignMany(24);
    const rounds = Array.from({ length: 12 }, async (_, worker) => {
      for (let count = 0; count < 4; count += 1) {
        const some = Array.from({ length: 12 }, () => ({ id: dice.pick(ids) }));
        const answer = await [
          () => call("BatchUpdateAuthorizations", { items: some.map((item) => ({ ...item, roleKeys: ["seller"] })) }),
          () => call("BatchUpdateAuthorizations", { items: some.map((item) => ({ ...item, roleKeys: [] })) }),
          () => call("BatchSetState", { state: "STATE_INACTIVE", items: some, atomic: true }),
          () => call("BatchDeleteAuthorizations", { items: some.slice(0, 2) }),
          () => call("UpdateAuthorization", { ...some[0], roleKeys: ["auditor"] }),
          () => call("ActivateAuthorization", { ...some[0] }),
          () => takeAndGive(worker),
        ][dice.below(7)]?.();
        expect([200, 400, 404]).toContain(answer?.status);
      }
    });
    await Promise.all(rounds);
    await expectSound();
  });
});

/** Takes a role away from a project and from a grant, and puts them back. */
async function takeAndGive(worker: number): Promise<Answer> {
  const key = worker % 2 ? "auditor" : "seller";
  await applyChanges(server, root, [removeRole("shop", key)]);
  const grant = projectGrant("shop-to-globex", "shop", "globex", "seller", "auditor");
  return applyChanges(server, root, [role("shop", "seller"), role("shop", "auditor"), grant]);
}

describe("A batch", () => {
  const removal = removeAuthorizations("id = $1", "user.grant.removed", "'2026-01-01T00:00:00Z'");
  const holdRemoval = (id: string) => hold(server.database, removal, [id]);

  test("waits for what is being changed, then counts what that left", async () => {
    const [one = "", other = ""] = await assignMany(2);
    const held = await holdRemoval(one);
    const items = [{ id: other }, { id: one }];
    const [{ body }] = await held.holdUp([() => call("BatchDeleteAuthorizations", { items })]);
    expect(body.results[1]).toEqual({ success: { deletionDate: "2026-01-01T00:00:00Z" } });
    expect(body.results[0].success).toBeDefined();
  });

  test("makes none of its changes if one of them can't be made after it has waited", async () => {
    const [one = "", other = ""] = await assignMany(2);
    const held = await holdRemoval(one);
    const items = [other, one].map((id) => ({ id, roleKeys: [] }));
    const [updating] = await held.holdUp([() => call("BatchUpdateAuthorizations", { items, atomic: true })]);
    expectRefusal(updating, { ...notFound, metadata: { index: "1" } });
    expect(await eventsOf(server.database, other)).toHaveLength(1);
  });

  test("does not wait for what its caller does not see", async () => {
    const [one = ""] = await assignMany(1);
    const token = await administrator(server.database);
    await lock(one);
    const answer = await server.call("BatchUpdateAuthorizations", { items: [{ id: one }], atomic: true }, { token });
    expectRefusal(answer, { ...notFound, metadata: { index: "0" } });
  });

  test("is given up on as a whole when its time is over, with nothing kept and no one left waiting", async () => {
    const [one = "", other = ""] = await assignMany(2);
    const held = await lock(other);
    const items = [one, other].map((id) => ({ id, roleKeys: [] }));
    const answer = await call("BatchUpdateAuthorizations", { items }, { "connect-timeout-ms": "300" });
    expect([answer.status, answer.body.code]).toEqual([504, "deadline_exceeded"]);
    await held.untilWaiting(0);
    await held.rollback();
    expect(await eventsOf(server.database, one)).toHaveLength(1);
    expect((await listed(server, one, root)).changeDate).toBe("2024-01-01T00:00:00Z");
  });
});
