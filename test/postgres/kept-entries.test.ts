import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Caller } from "../../src/authorization/permissions.ts";
import { hashToken } from "../../src/identity/tokens.ts";
import { postgresCallers } from "../../src/postgres/caller/caller-store.ts";
import { keepEntries, type RightsRow } from "../../src/postgres/caller/kept-entries.ts";
import { type Database, openDatabase } from "../../src/postgres/pool/database.ts";
import { entry, organization, project, projectGrant, remove } from "../support/changes.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { hold } from "../support/locks.ts";
import { user } from "../support/world.ts";

const numbers = Array.from({ length: 60 }, (_, index) => index);
const forever = new AbortController().signal;

let database: TestDatabase;
let opened: Database;
let token: string;

/** Finds callers as a server does, and says whether it had to read their entries. */
let find: () => Promise<Caller | undefined>;
let hasRead: boolean[];

beforeAll(async () => {
  database = await createTestDatabase();
  opened = openDatabase({
    connection: { connectionString: database.url },
    poolSize: 2,
    statementTimeoutMs: 60_000,
    onIdleError: () => {},
  });
});
afterAll(async () => {
  await opened.close();
  await database.drop();
});

/** Sixty entries of Ann, on projects of an organization and on grants to it. */
beforeEach(async () => {
  await database.load(...["home", "own", "partner"].map((organizationId) => remove({ organizationId })));
  await database.load(
    ...["home", "own", "partner"].map((id) => organization(id)),
    ...["ann", "bea"].map((id) => user(id, "home")),
    ...numbers.map((at) => project(`p${at}`, "own")),
    projectGrant("g", "p0", "partner"),
    ...numbers.map((at) => entry("ann", { projectId: `p${at}` }, "PROJECT_OWNER")),
    entry("ann", { projectGrantId: "g" }, "PROJECT_GRANT_OWNER"),
    entry("bea", { projectId: "p1" }, "PROJECT_OWNER"),
  );
  token = await database.token("ann");
  hasRead = [];
  const callers = postgresCallers({
    ...opened,
    async query(statement, signal) {
      const found = await opened.query<never>(statement, signal);
      hasRead.push((found as unknown as RightsRow[]).some(({ entries }) => entries !== null));
      return found;
    },
  });
  find = () => callers.findByToken(hashToken(token), forever);
});

/** The caller found again, and what it holds by the tables. */
async function expectCurrent(): Promise<void> {
  const rows = await database.query<{ scope: string; roles: string[] }>(
    "select scope, roles from administrators where user_id = 'ann' order by scope",
  );
  const found = await find();
  const held = found?.entries.map(({ scope, roles }) => {
    const [kind, id] = [scope.kind, Object.values(scope)[1] ?? ""];
    return { scope: ["instance", "organization", "project", "projectGrant"].indexOf(kind) + id, roles };
  });
  expect(held?.toSorted((one, other) => (one.scope < other.scope ? -1 : 1))).toEqual(
    rows.toSorted((one, other) => (one.scope < other.scope ? -1 : 1)),
  );
}

describe("The entries of a caller with many", () => {
  test("are read once, and again only after a change of them", async () => {
    const first = await find();
    const second = await find();
    expect(second?.entries).toBe(first?.entries);
    await database.query("update administrators set roles = '{PROJECT_OWNER_VIEWER}' where user_id = 'bea'");
    await find();
    expect(hasRead).toEqual([true, false, false]);
    await database.query("update administrators set roles = '{PROJECT_OWNER_VIEWER}' where scope = '2p1'");
    await expectCurrent();
    expect(hasRead).toEqual([true, false, false, true]);
  });

  test.each([
    ["given", "insert into administrators (user_id, organization_id, roles) values ('ann', 'own', '{ORG_OWNER}')"],
    ["changed", "update administrators set roles = '{PROJECT_OWNER_VIEWER}' where user_id = 'ann' and scope = '2p7'"],
    ["passed on", "update administrators set user_id = 'bea' where user_id = 'ann' and scope = '2p7'"],
    [
      "passed on to the caller",
      "delete from administrators where scope = '2p1' and user_id = 'ann'; update administrators set user_id = 'ann' where user_id = 'bea'",
    ],
    ["removed", "delete from administrators where user_id = 'ann' and scope = '2p7'"],
    ["removed with their project", "delete from projects where id = 'p7'"],
    ["removed with their grant", "delete from project_grants"],
    [
      "merged",
      `merge into administrators a using (values ('2p7')) s (scope) on a.scope = s.scope and a.user_id = 'ann'
      when matched then delete`,
    ],
    [
      "removed and given again",
      `delete from administrators where user_id = 'ann' and scope = '2p7';
      insert into administrators (user_id, project_id, roles) values ('ann', 'p7', '{PROJECT_OWNER_VIEWER}')`,
    ],
    ["all removed", "delete from administrators"],
    ["emptied with the table", "truncate administrators"],
  ])("are never used after they were %s", async (_, change) => {
    await find();
    await database.query(change);
    await expectCurrent();
    expect(hasRead).toEqual([true, true]);
    await expectCurrent();
  });

  test("are those of the moment while changes are open, rolled back, and made side by side", async () => {
    await find();
    const open = await hold(database, "delete from administrators where user_id = 'ann' and scope = '2p7'");
    await expectCurrent();
    const other = hold(database, "select");
    const waiting = (await other).query("delete from administrators where user_id = 'ann' and scope = '2p8'");
    await open.untilWaiting(1);
    await expectCurrent();
    await open.commit();
    await waiting;
    await expectCurrent();
    await (await other).rollback();
    await expectCurrent();
    expect(hasRead).toEqual([true, false, false, true, false]);
  });

  test("are not those of an earlier user with the same id, or of an earlier token", async () => {
    await find();
    await database.load(remove({ userId: "ann" }));
    expect(await find()).toBeUndefined();
    await database.load(
      user("ann", "home"),
      ...numbers.map((at) => entry("ann", { projectId: `p${at}` }, "PROJECT_OWNER_VIEWER")),
    );
    await database.query("insert into tokens (id, user_id, hash) values ('again', 'ann', $1)", [hashToken(token)]);
    await expectCurrent();
    await database.query("delete from tokens");
    expect(await find()).toBeUndefined();
  });

  test("are read every time if there is no version, as for entries that were stored while triggers were off", async () => {
    await database.query("delete from administrator_versions");
    await find();
    await expectCurrent();
    expect(hasRead).toEqual([true, true]);
  });
});

describe("Kept lists", () => {
  const list = (length: number): RightsRow["entries"] =>
    Array.from({ length }, (_, at) => ({
      ...{ organization_id: null, project_id: `p${at}`, project_grant_id: null, home_id: "own" },
      roles: ["PROJECT_OWNER" as const],
    }));

  test("are those used last, up to a number of entries in total; short ones are not kept", () => {
    const kept = keepEntries(250, 50);
    const learn = (caller: string, version: string, length: number) =>
      kept.learn(caller, undefined, { version, entries: list(length) });
    learn("short", "s", 50);
    learn("a", "1", 100);
    learn("b", "2", 100);
    expect(kept.recall("short")).toBeUndefined();
    const known = kept.recall("a");
    expect(known?.entries).toHaveLength(100);
    kept.learn("a", known, { version: "1", entries: null });
    learn("c", "3", 100);
    expect(["a", "b", "c"].map((caller) => kept.recall(caller)?.version)).toEqual(["1", undefined, "3"]);
    learn("huge", "4", 251);
    expect(["a", "c", "huge"].map((caller) => kept.recall(caller))).toEqual([undefined, undefined, undefined]);
  });

  test("with the same version are kept once, whatever they were read for", () => {
    const kept = keepEntries(250, 50);
    const one = kept.learn("token", undefined, { version: "1", entries: list(100) });
    expect(kept.learn("user", undefined, { version: "1", entries: list(100) })).toBe(one);
  });

  test("a statement that leaves out entries nobody knows is a fault", () => {
    const kept = keepEntries();
    expect(() => kept.learn("a", undefined, { version: "1", entries: null })).toThrow("not known");
    expect(() => kept.learn("a", { version: "1", entries: [] }, { version: "2", entries: null })).toThrow("not known");
  });
});
