import { describe, expect, test } from "vitest";
import { writeChange } from "../../src/import-format/changes.ts";
import { exportAll } from "../../src/postgres/directory/export/export.ts";
import { assign, listed } from "../support/assign.ts";
import { apply, remove } from "../support/changes.ts";
import { databaseOfTests, type TestDatabase } from "../support/database.ts";
import { eventsOf } from "../support/events.ts";
import { hold } from "../support/locks.ts";
import { expectNumbersTrue } from "../support/numbers.ts";
import { serveSmallWorld } from "../support/server.ts";

const { server, root } = await serveSmallWorld();
const empty = await databaseOfTests();

const past = "2024-02-01T00:00:00Z";
const future = "9998-01-01T00:00:00Z";

/** Puts one in place under the id that it has, or a new one. */
async function put(id: string, userId: string, more: object) {
  const place = { userId, projectId: "shop", organizationId: "acme", roleKeys: ["seller"] };
  return apply(server, root, { authorization: { id, ...place, ...more } });
}

async function history(id: string): Promise<string[]> {
  const events = await eventsOf(server.database, id);
  return events.map(({ type, state }) => `${type.replace("user.grant.", "")} ${state}`);
}

const shown = (id: string) => listed(server, id, root);

describe("a change of the directory that names an assignment", () => {
  test("clears a deactivation with STATE_ACTIVE, but never an end", async () => {
    const { id, userId } = await assign(server.database, { expirationDate: past, state: "inactive" });
    expect(await shown(id)).toMatchObject({ expired: false });
    await put(id, userId, { state: "STATE_ACTIVE" });
    expect(await shown(id)).toMatchObject({ state: "STATE_INACTIVE", expired: true });
    await put(id, userId, { state: "STATE_ACTIVE" });
    await put(id, userId, { state: "STATE_INACTIVE" });
    expect(await shown(id)).toMatchObject({ state: "STATE_INACTIVE", expired: false });
    await put(id, userId, { expirationDate: future, state: "STATE_ACTIVE" });
    expect(await shown(id)).toMatchObject({ state: "STATE_ACTIVE", expired: false });
    const types = ["added inactive", "changed inactive", "deactivated inactive", "changed active"];
    expect(await history(id)).toEqual(types);
  });

  test("renews an expired one with a later end, as an update does", async () => {
    const { id, userId } = await assign(server.database, { expirationDate: past });
    await put(id, userId, { expirationDate: future });
    expect(await shown(id)).toMatchObject({ state: "STATE_ACTIVE", expired: false });
    expect((await history(id)).slice(1)).toEqual(["expired inactive", "changed active"]);
  });

  test("is dated before an end that passes while others are written", async () => {
    const past = await assign(server.database, { expirationDate: "2024-02-01T00:00:00Z" });
    const passing = await assign(server.database);
    await server.database.query(
      "update authorizations set expiration_date = clock_timestamp() + interval '700 milliseconds' where id = $1",
      [passing.id],
    );
    // The event of the end that has passed waits.
    const held = await hold(server.database, "lock table events in share mode");
    const place = { projectId: "shop", organizationId: "acme", roleKeys: ["owner"] };
    const changing = apply(
      server,
      root,
      ...[past, passing].map(({ id, userId }) => ({ authorization: { id, userId, ...place } })),
    );
    await held.untilWaiting(1);
    await held.query(
      "select pg_sleep(extract(epoch from expiration_date - clock_timestamp())) from authorizations where id = $1",
      [passing.id],
    );
    await held.commit();
    await changing;
    await server.settleEnds();
    const events = await server.database.query<{ type: string; is_before: boolean }>(
      `select e.type, e.time < a.expiration_date as is_before
       from events e join authorizations a on a.id = e.authorization_id where a.id = $1 order by sequence`,
      [passing.id],
    );
    const expired = events.findIndex(({ type }) => type === "user.grant.expired");
    expect(expired).toBeGreaterThan(0);
    expect(events.map(({ is_before }) => is_before)).toEqual(events.map((_, index) => index < expired));
  });

  test("comes after an end that passes between its checks and what it does", async () => {
    await apply(server, root, { projectRole: { projectId: "shop", key: "brief", displayName: "", group: "" } });
    const { id } = await assign(server.database, { roleKeys: ["brief", "seller"] });
    // Events of the directory are written in between.
    const held = await hold(server.database, "lock table directory_events in share mode");
    const removing = apply(server, root, remove({ projectRole: { projectId: "shop", key: "brief" } }));
    await held.untilWaiting(1);
    await held.query("update authorizations set expiration_date = clock_timestamp() where id = $1", [id]);
    await held.commit();
    await removing;
    expect(await history(id)).toEqual(["added active", "expired inactive", "cascade.changed inactive"]);
    await expectNumbersTrue(server.database);
  });
});

describe("an export", () => {
  async function exported({ url }: TestDatabase): Promise<string[]> {
    const lines: string[] = [];
    await exportAll({ connectionString: url }, async (changes) => void lines.push(...changes.map(writeChange)));
    return lines;
  }

  test("has ended ones as expired unless they are deactivated, and imports as the same", async () => {
    const due = await assign(server.database, { expirationDate: past });
    const deactivated = await assign(server.database, { expirationDate: past, state: "inactive" });
    const later = await assign(server.database, { expirationDate: future });
    const lines = await exported(server.database);
    const found = new Map(
      lines.map((line) => JSON.parse(line).authorization).flatMap((one) => (one === undefined ? [] : [[one.id, one]])),
    );
    const expired = { state: "STATE_INACTIVE", expired: true, changeDate: past, expirationDate: past };
    expect(found.get(due.id)).toMatchObject(expired);
    expect(found.get(deactivated.id)).toMatchObject({ state: "STATE_INACTIVE", expired: false, expirationDate: past });
    expect(found.get(later.id)).toMatchObject({ state: "STATE_ACTIVE", expired: false, expirationDate: future });
    await empty.import(...lines.map((line) => JSON.parse(line)));
    expect(await exported(empty)).toEqual(lines);
    await expectNumbersTrue(empty);
    await server.database.import(...lines.map((line) => JSON.parse(line)));
    expect(await exported(server.database)).toEqual(lines);
    expect(await history(due.id)).toEqual(["added active", "expired inactive"]);
  });
});
