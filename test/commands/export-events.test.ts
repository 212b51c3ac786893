import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { applyChanges, remove } from "../support/changes.ts";
import { runCommand } from "../support/command.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { directoryEventLine, eventLine } from "../support/history-lines.ts";
import { inMonth } from "../support/months.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { createGuardedDatabase } from "../support/service-role.ts";
import { created } from "../support/tokens.ts";
import { smallWorld } from "../support/world.ts";

let server: TestServer;
let root: string;
let empty: TestDatabase;

beforeEach(async () => {
  server = await startTestServer();
  empty = await createTestDatabase();
  await inMonth(server.database, "2026-01", () => server.database.load(...smallWorld));
  root = await server.database.token("root");
  await inMonth(server.database, "2026-01", async () => {
    await call("DeactivateAuthorization", { id: "a1", reason: 'quoted "é" \\ and\ttab' });
    await apply({ project: { id: "gone", organizationId: "acme", name: "Gone" } });
  });
  await inMonth(server.database, "2026-02", async () => {
    await call("ActivateAuthorization", { id: "a1" });
    await call("DeleteAuthorization", { id: "a3" });
    await created(server, root, { userId: "bob", name: "kept in history" });
    await apply(remove({ projectId: "gone" }), remove({ userId: "adam" }));
  });
  await apply({ user: { id: "adam", organizationId: "acme", preferredLoginName: "other", displayName: "Another" } });
  await call("UpdateAuthorization", { id: "a5", roleKeys: ["auditor", "seller"] });
});
afterEach(async () => {
  await server.stop();
  await empty.drop();
});

async function call(rpc: string, request: object) {
  const { status, body } = await server.call(rpc, request, { token: root });
  expect({ status, body }).toMatchObject({ status: 200 });
}

async function apply(...changes: object[]) {
  expect(await applyChanges(server, root, changes)).toMatchObject({ status: 200 });
}

async function exported(database: TestDatabase, ...more: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(["export", ...more], { env: { DATABASE_URL: database.url } });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

const imported = (into: TestDatabase, input: string, ...more: string[]) =>
  runCommand(["import", "-", ...more], { env: { DATABASE_URL: into.url }, input });

/** What callers of different rights see of both histories, and of the rest. */
async function seenBy(at: TestServer): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (const user of ["root", "ann", "bob", "adam", "cid"]) {
    const token = await at.database.token(user);
    for (const rpc of [
      "authorization.v2.AuthorizationHistoryService/ListAuthorizationEvents",
      "directory.v1.DirectoryHistoryService/ListDirectoryEvents",
      "authorization.v2.AuthorizationService/ListAuthorizations",
    ]) {
      const whole = await at.callService(rpc, {}, { token });
      const { nextPageToken: _, ...pagination } = whole.body.pagination ?? {};
      seen.push([user, rpc, whole.status, { ...whole.body, pagination }]);
    }
  }
  return seen;
}

describe("export --events", () => {
  test("is accepted by an empty database, where every caller sees the same, and nothing is counted twice", async () => {
    const text = await exported(server.database, "--events");
    expect(await imported(empty, text)).toMatchObject({ code: 0 });
    const copy = await startTestServer({ database: empty });
    expect(await seenBy(copy)).toEqual(await seenBy(server));
    expect(await runCommand(["check"], { env: { DATABASE_URL: empty.url } })).toMatchObject({ code: 0, stdout: "" });
    const removed = "select * from removed_things order by kind, id";
    expect(await empty.query(removed)).toEqual(await server.database.query(removed));
    const again = await copy.call("DeactivateAuthorization", { id: "a1" }, { token: await empty.token("root") });
    expect(again.status).toBe(200);
    await copy.stop();
  });

  test("is the same byte for byte after an import, and begins with the plain export", async () => {
    const text = await exported(server.database, "--events");
    expect(await imported(empty, text)).toMatchObject({ code: 0 });
    expect(await exported(empty, "--events")).toBe(text);
    expect(text.startsWith(await exported(server.database))).toBe(true);
    expect(await exported(server.database)).not.toMatch(/"(event|directoryEvent|removedThing)"/);
  });

  test("of a database with archived months is what is kept, and together with the archive it is everything", async () => {
    const whole = await exported(server.database, "--events");
    const env = { DATABASE_URL: server.database.url };
    const { mkdtemp, readFile, rm } = await import("node:fs/promises");
    const folder = await mkdtemp("/tmp/archive-");
    expect(await runCommand(["events", "archive", "--before", "2026-02", "--folder", folder], { env })).toMatchObject({
      code: 0,
    });
    const archived = await readFile(`${folder}/history-2026-01.ndjson`, "utf8");
    await rm(folder, { recursive: true });
    const kept = await exported(server.database, "--events");
    expect(kept).not.toContain('"sequence":"202601');
    expect(await imported(empty, archived + kept)).toMatchObject({ code: 0 });
    const sorted = (text: string) => text.split("\n").sort();
    expect(sorted(await exported(empty, "--events"))).toEqual(sorted(whole));
  });

  test("can't be combined with --only", async () => {
    const { code, stderr } = await runCommand(["export", "--events", "--only", "user"], {
      env: { DATABASE_URL: empty.url },
    });
    expect({ code, stderr }).toEqual({ code: 1, stderr: "--events can't be used with --only.\n" });
  });
});

describe("An import with events", () => {
  const refused = (what: string) => ({
    code: 1,
    stderr: expect.stringMatching(`${what}[^]*\nNothing was imported.\n$`),
  });

  test("is refused if the history isn't empty, also if it was archived, and changes nothing", async () => {
    const text = await exported(server.database, "--events");
    const before = await exported(server.database, "--events");
    for (const more of [[], ["--dry-run"]]) {
      expect(await imported(server.database, text, ...more)).toMatchObject(
        refused("events can be imported only into an empty history"),
      );
    }
    expect(await exported(server.database, "--events")).toBe(before);
    await empty.query("update kept_history set first_sequence = first_sequence(now())");
    expect(await imported(empty, text)).toMatchObject(refused("events can be imported only into an empty history"));
  });

  test("is refused to the role of the service, and accepted from the owner", async () => {
    const guarded = await createGuardedDatabase();
    const text = await exported(server.database, "--events");
    const run = (url: string) =>
      runCommand(["import", "-"], { env: { DATABASE_URL: url, MIGRATE: "false" }, input: text });
    expect(await run(guarded.serviceUrl)).toMatchObject(refused("only by the owner"));
    expect(await run(guarded.ownerUrl)).toMatchObject({ code: 0 });
    await guarded.drop();
  });

  test("leaves tables, indexes and triggers as they were", async () => {
    const schema = () =>
      empty.query(`
        select pg_get_indexdef(indexrelid) as what from pg_index join pg_class on oid = indrelid
        where relnamespace = 'public'::regnamespace and relname !~ '2026_0[12]'
        union all select pg_get_triggerdef(t.oid) || tgenabled::text from pg_trigger t join pg_class c on c.oid = tgrelid
        where not tgisinternal and relname !~ '2026_0[12]'
        order by 1`);
    const before = await schema();
    expect(await imported(empty, await exported(server.database, "--events"))).toMatchObject({ code: 0 });
    expect(await schema()).toEqual(before);
  });

  const first = eventLine("2026010000000001");
  const directoryEvent = directoryEventLine("2026010000000001");

  test.each<[string, object]>([
    ["event.sequence must be", eventLine("7")],
    ["event.sequence occurs twice", eventLine("2026010000000008")],
  ])("is refused with the number of the line: %s", async (what, line) => {
    const input = [eventLine("2026010000000008"), directoryEventLine("2026010000000009"), line]
      .map((one) => `${JSON.stringify(one)}\n`)
      .join("");
    for (const more of [[], ["--dry-run"]]) {
      expect(await imported(empty, input, ...more)).toMatchObject(refused(`line 3: ${what}`));
    }
    expect(await empty.query("select from events union all select from directory_events")).toEqual([]);
  });

  test("is refused if it removes something", async () => {
    const input = [first, { remove: { userId: "x" } }].map((one) => `${JSON.stringify(one)}\n`).join("");
    expect(await imported(empty, input)).toMatchObject(refused("a file with events can't remove anything"));
  });

  test("alone fills an empty database with history to look at", async () => {
    expect(await imported(empty, `${JSON.stringify(first)}\n${JSON.stringify(directoryEvent)}\n`)).toMatchObject({
      code: 0,
    });
    expect(await empty.query("select sequence, authorization_id from events")).toEqual([
      { sequence: first.event.sequence, authorization_id: "x" },
    ]);
    expect(await runCommand(["check"], { env: { DATABASE_URL: empty.url } })).toMatchObject({ code: 0, stdout: "" });
  });
});
