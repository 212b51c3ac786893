import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { stopKeeping } from "../../src/postgres/retention/archive.ts";
import { readHistoryLines } from "../../src/postgres/retention/history-lines.ts";
import { applyChanges, remove } from "../support/changes.ts";
import { runCommand, startCommand } from "../support/command.ts";
import { hold } from "../support/locks.ts";
import { inMonth, monthTables } from "../support/months.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { createGuardedDatabase } from "../support/service-role.ts";
import { created, listedTokens } from "../support/tokens.ts";
import { until } from "../support/until.ts";

let server: TestServer;
let root: string;
let folder: string;

const inJanuary = ["events_2026_01", "directory_events_2026_01", "directory_event_places_2026_01"];

beforeEach(async () => {
  server = await startTestServer({ smallWorld: true });
  root = await server.database.token("root");
  folder = await mkdtemp(join(tmpdir(), "archive-"));
  await inMonth(server.database, "2026-01", async () => {
    await call("DeactivateAuthorization", { id: "a1" });
    await call("DeleteAuthorization", { id: "a2" });
    await apply({ project: { id: "old", organizationId: "acme", name: "Old" } });
  });
  await inMonth(server.database, "2026-02", async () => {
    await call("ActivateAuthorization", { id: "a1" });
    await call("DeleteAuthorization", { id: "a3" });
    await apply(remove({ projectId: "old" }));
  });
  await call("DeactivateAuthorization", { id: "a1" });
});
afterEach(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

async function call(rpc: string, request: object) {
  const { status, body } = await server.call(rpc, request, { token: root });
  expect(status).toBe(200);
  return body;
}

async function apply(...changes: object[]) {
  expect(await applyChanges(server, root, changes)).toMatchObject({ status: 200 });
}

const env = () => ({ DATABASE_URL: server.database.url });
const args = (before: string, ...more: string[]) => [
  "events",
  "archive",
  "--before",
  before,
  "--folder",
  folder,
  ...more,
];
const archive = (before: string, ...more: string[]) => runCommand(args(before, ...more), { env: env() });

/** All pages of a history, with the total. */
async function listed(rpc: string, filters: object[] = []) {
  const { status, body } = await server.callService(rpc, { filters, pagination: { limit: 100 } }, { token: root });
  expect(status).toBe(200);
  return { total: Number(body.pagination.totalResult), events: body.events as { sequence: string }[] };
}
const ofAssignments = "authorization.v2.AuthorizationHistoryService/ListAuthorizationEvents";
const ofDirectory = "directory.v1.DirectoryHistoryService/ListDirectoryEvents";

async function lines(month: string): Promise<Record<string, { sequence: string }>[]> {
  const text = await readFile(join(folder, `history-${month}.ndjson`), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Fails unless everything from before March 2026 is archived, and rows, totals and files agree. */
async function expectArchived() {
  expect((await monthTables(server.database)).filter((name) => name.includes("2026_0"))).toEqual([]);
  for (const history of [ofAssignments, ofDirectory]) {
    const { total, events } = await listed(history);
    expect(events).toHaveLength(total);
    expect(events.filter(({ sequence }) => sequence < "202603")).toEqual([]);
  }
  expect((await readdir(folder)).sort()).toEqual(["history-2026-01.ndjson", "history-2026-02.ndjson"]);
  const [january, february] = [await lines("2026-01"), await lines("2026-02")];
  const kinds = (all: object[]) => all.flatMap((line) => Object.keys(line));
  expect([kinds(january), kinds(february)]).toEqual([
    ["event", "event", "directoryEvent"],
    ["event", "event", "directoryEvent"],
  ]);
  expect(await runCommand(["check"], { env: env() })).toMatchObject({ code: 0, stdout: "" });
}

describe("events archive", () => {
  test("writes each month to a file, and takes it out of lists, totals and tables", async () => {
    const before = await listed(ofAssignments);
    const { code, stdout } = await archive("2026-03");
    expect({ code, stdout: stdout.trimEnd().split("\n") }).toEqual({
      code: 0,
      stdout: ["2026-01", "2026-02"].map(
        (month) =>
          `${month}: 2 events of assignments, 1 of the directory -> ${join(folder, `history-${month}.ndjson`)}`,
      ),
    });
    await expectArchived();
    expect((await listed(ofAssignments)).total).toBe(before.total - 4);
    const [a1] = await lines("2026-01");
    expect(a1).toMatchObject({ event: { authorizationId: "a1", type: "user.grant.deactivated", actorId: "root" } });
  });

  test("archives only months before the given one", async () => {
    await archive("2026-02");
    expect((await listed(ofAssignments)).events.at(-1)?.sequence).not.toMatch(/^202601/);
    expect(await monthTables(server.database)).toContain("events_2026_02");
    expect(await readdir(folder)).toEqual(["history-2026-01.ndjson"]);
    expect((await archive("2026-03")).code).toBe(0);
    await expectArchived();
  });

  test("with --dry-run, says what it would do and changes nothing", async () => {
    const { code, stdout } = await archive("2026-03", "--dry-run");
    expect({ code, lines: stdout.trimEnd().split("\n").length }).toEqual({ code: 0, lines: 2 });
    expect(await readdir(folder)).toEqual([]);
    expect(await monthTables(server.database)).toEqual(expect.arrayContaining(inJanuary));
  });

  test("refuses what is no month, and months that are not over", async () => {
    const next = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 7);
    for (const month of ["2026-13", "2026", "2026-01-01", next, "2999-01"]) {
      expect(await archive(month), month).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^--before must be /),
      });
    }
    const thisMonth = new Date().toISOString().slice(0, 7);
    expect(await archive(thisMonth)).toMatchObject({ code: 0 });
  });

  test("counts what comes later, and repairs to the same totals", async () => {
    await archive("2026-03");
    await call("ActivateAuthorization", { id: "a1" });
    const { total, events } = await listed(ofAssignments);
    expect(events).toHaveLength(total);
    expect(await runCommand(["check", "--repair"], { env: env() })).toMatchObject({ code: 0 });
    await server.database.query("select recount_numbers()");
    expect((await listed(ofAssignments)).total).toBe(total);
  });

  test("is the owner's: the role of the service is refused, and no file is written", async () => {
    const guarded = await createGuardedDatabase();
    await inMonth(guarded.database, "2026-01", async () => {});
    const { code, stderr } = await runCommand(args("2026-02"), { env: { DATABASE_URL: guarded.serviceUrl } });
    expect({ code, stderr }).toEqual({ code: 1, stderr: "Run this command as the owner of the database.\n" });
    expect(await readdir(folder)).toEqual([]);
    expect(await runCommand(args("2026-02"), { env: { DATABASE_URL: guarded.ownerUrl } })).toMatchObject({ code: 0 });
    await guarded.drop();
  });

  test("runs once at a time", async () => {
    const other = await hold(server.database, "select pg_advisory_lock(720638143)");
    expect(await archive("2026-03")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Another archive is running"),
    });
    await other.rollback();
    expect((await archive("2026-03")).code).toBe(0);
    await expectArchived();
  });

  test("never replaces a file with other content", async () => {
    const file = join(folder, "history-2026-01.ndjson");
    await writeFile(file, "something else\n");
    expect(await archive("2026-03")).toMatchObject({ code: 1, stderr: expect.stringContaining("has other content") });
    expect(await readFile(file, "utf8")).toBe("something else\n");
    expect(await monthTables(server.database)).toEqual(expect.arrayContaining(inJanuary));
    expect((await listed(ofAssignments)).events.some(({ sequence }) => sequence.startsWith("202601"))).toBe(true);
  });
});

describe("events archive, ended in between and run again,", () => {
  const onClient = async (...statements: (string | ((client: pg.Client) => Promise<void>))[]) => {
    const client = new pg.Client({ connectionString: server.database.url });
    await client.connect();
    for (const one of statements) await (typeof one === "string" ? client.query(one) : one(client));
    await client.end();
  };
  /** What the first step does: it writes the file, and nothing else. */
  async function writeOnly(): Promise<string> {
    let text = "";
    await onClient(async (client) => {
      await client.query("begin isolation level repeatable read read only");
      for await (const some of readHistoryLines(client, january, ["event", "directoryEvent"])) {
        text += some.map((line) => `${line}\n`).join("");
      }
    });
    await writeFile(join(folder, "history-2026-01.ndjson"), text);
    return text;
  }

  const january = { name: "2026-01", from: "2026010000000000", before: "2026020000000000" };

  test("continues after a part of a file", async () => {
    await writeFile(join(folder, "history-2026-01.ndjson.part"), '{"event":{"seq');
    expect((await archive("2026-03")).code).toBe(0);
    await expectArchived();
  });

  test("continues after a whole file", async () => {
    const january = await writeOnly();
    expect((await archive("2026-03")).code).toBe(0);
    expect(await readFile(join(folder, "history-2026-01.ndjson"), "utf8")).toBe(january);
    await expectArchived();
  });

  test("continues after the month was given up", async () => {
    await writeOnly();
    await onClient((client) => stopKeeping(client, january));
    const { code, stderr } = await archive("2026-03");
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining("An earlier archive was not finished: removed directory_event_places_2026_01"),
    });
    await expectArchived();
  });

  test("continues after detaching was interrupted, and after it was done", async () => {
    await writeOnly();
    await onClient((client) => stopKeeping(client, january));
    const reader = await hold(server.database, "select count(*) from events");
    const detaching = new pg.Client({ connectionString: server.database.url });
    await detaching.connect();
    const detached = detaching.query("alter table events detach partition events_2026_01 concurrently").catch(() => {});
    await reader.untilWaiting(1);
    await server.database.query(
      "select pg_cancel_backend(pid) from pg_stat_activity where query like 'alter table events detach%' and pid <> pg_backend_pid()",
    );
    await detached;
    await detaching.end();
    await reader.rollback();
    expect(
      await server.database.query(
        "select inhdetachpending from pg_inherits where inhrelid = 'events_2026_01'::regclass",
      ),
    ).toEqual([{ inhdetachpending: true }]);
    await server.database.query("alter table directory_events detach partition directory_events_2026_01");
    expect((await archive("2026-03")).code).toBe(0);
    await expectArchived();
  });

  test("leaves totals and rows in agreement while the month is given up, but still there", async () => {
    await onClient((client) => stopKeeping(client, january));
    for (const history of [ofAssignments, ofDirectory]) {
      const { total, events } = await listed(history);
      expect(events).toHaveLength(total);
      expect(events.filter(({ sequence }) => sequence < "202602")).toEqual([]);
    }
    const filters = [{ authorizationId: { id: "a2" } }];
    expect((await listed(ofAssignments, filters)).total).toBe(1);
    expect(await runCommand(["check"], { env: env() })).toMatchObject({ code: 0, stdout: "" });
  });
});

describe("Beside events archive,", () => {
  test("a change that runs is waited for, and others don't wait", async () => {
    const writer = await hold(server.database, "select pg_current_xact_id()");
    const running = startCommand(args("2026-03"), { env: env() });
    onTestFinished(() => void running.process.kill("SIGKILL"));
    await running.until("stderr", /Waiting until changes that are still running have ended/);
    await call("ActivateAuthorization", { id: "a1" });
    expect(await readdir(folder)).toEqual([]);
    await writer.rollback();
    expect(await running.ended).toMatchObject({ code: 0 });
    await expectArchived();
  });

  test("a reader keeps its snapshot: rows and totals agree, and changes go on while its months are detached", async () => {
    const counts = `select (select count(*) from kept_events)::integer as rows,
      (select sum(number) from numbers where kind = 'event' and organization_id = '')::integer as total`;
    const reader = new pg.Client({ connectionString: server.database.url });
    await reader.connect();
    await reader.query("begin isolation level repeatable read read only");
    const before = (await reader.query(counts)).rows;
    const running = startCommand(args("2026-03"), { env: env() });
    onTestFinished(() => void running.process.kill("SIGKILL"));
    await until("detaching to wait for the reader", async () => {
      const [found] = await server.database.query<{ count: number }>(
        "select count(*)::integer as count from pg_stat_activity where query like '%concurrently' and wait_event_type = 'Lock'",
      );
      return found?.count === 1;
    });
    expect((await reader.query(counts)).rows).toEqual(before);
    expect(before[0].rows).toBe(before[0].total);
    await call("ActivateAuthorization", { id: "a1" });
    const { total, events } = await listed(ofAssignments);
    expect(events).toHaveLength(total);
    await reader.end();
    expect(await running.ended).toMatchObject({ code: 0 });
    await expectArchived();
  });
});

describe("After events archive,", () => {
  test("deleting again answers as before while the removal is kept", async () => {
    const again = (id: string) => server.call("DeleteAuthorization", { id }, { token: root });
    const [a2, a3, unknown] = [await again("a2"), await again("a3"), await again("never")];
    expect(a2.body.deletionDate).toBeDefined();
    await archive("2026-02");
    expect(await again("a3")).toMatchObject({ status: a3.status, body: a3.body });
    expect(await again("a2")).toMatchObject({ status: unknown.status });
  });

  test("the id of a removed thing is not free: its new users see nothing from before", async () => {
    const removed = () =>
      server.database.query("select kind, id, last_event, last_directory_event from removed_things");
    const before = await removed();
    expect(before).toContainEqual(expect.objectContaining({ kind: "project", id: "old" }));
    await archive("2026-03");
    expect(await removed()).toEqual(before);
  });

  test("a version from before is refused, and a new one is accepted", async () => {
    const send = (changes: object[], ifVersion?: string) =>
      server.callDirectory("ApplyChanges", { changes, ...(ifVersion && { ifVersion }) }, { token: root });
    const organization = { organization: { id: "acme", name: "Acme again" } };
    const { version } = (await send([])).body;
    await archive("2026-02");
    expect(await send([organization], version)).toMatchObject({ status: 409 });
    const after = (await send([])).body.version;
    expect(await send([organization], after)).toMatchObject({ status: 200 });
    await server.database.query("update kept_history set archived_in = '9999999999'::xid8");
    expect(await send([organization], after)).toMatchObject({ status: 409 });
  });

  test("a token whose creation is archived doesn't name a later user as its maker", async () => {
    await inMonth(server.database, "2026-01", async () => {
      await created(server, root, { userId: "bob", name: "from root" });
    });
    const makers = async () =>
      (await listedTokens(server, root, { userId: "bob" })).map(({ maker }) => maker.displayName);
    const [named] = await makers();
    await archive("2026-03");
    expect(await makers()).toEqual([named]);
    await server.database.query(
      "insert into removed_things (kind, id, organization_id, last_event, last_directory_event) values ('user', 'root', 'acme', 0, 1)",
    );
    expect(await makers()).toEqual(["root"]);
  });
});
