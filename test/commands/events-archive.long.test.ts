import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { historyText } from "../../src/commands/history-lines.ts";
import { withOwnConnection } from "../../src/postgres/pool/own-connection.ts";
import { type Cut, deleteSome, stopKeeping } from "../../src/postgres/retention/archive.ts";
import { apply, remove } from "../support/changes.ts";
import { objectsIn, runCommand, startCommand } from "../support/command.ts";
import { hold } from "../support/locks.ts";
import { bodyOf, serverInTest, type TestServer } from "../support/server.ts";
import { createGuardedDatabase } from "../support/service-role.ts";
import { created, listedTokens } from "../support/tokens.ts";

let server: TestServer;
let root: string;
let folder: string;
/** The sequences from which on events are of February, and from which on they are of March or later. */
let february: Cut;
let march: Cut;

beforeEach(async () => {
  server = await serverInTest({ smallWorld: true });
  root = await server.database.token("root");
  folder = await mkdtemp(join(tmpdir(), "archive-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await call("DeactivateAuthorization", { id: "a1" });
  await call("DeleteAuthorization", { id: "a2" });
  await apply(server, root, { project: { id: "old", organizationId: "acme", name: "Old" } });
  february = await backdate("2026-01-15");
  await call("ActivateAuthorization", { id: "a1" });
  await call("DeleteAuthorization", { id: "a3" });
  await apply(server, root, remove({ projectId: "old" }));
  march = await backdate("2026-02-15");
  await call("DeactivateAuthorization", { id: "a1" });
});

const tables = ["events", "directory_events", "directory_event_places"];

/** Events are final, but for this test. */
async function rewrite(updates: string): Promise<void> {
  const triggers = (how: string) => tables.map((table) => `alter table ${table} ${how} trigger ${table}_are_final;`);
  await server.database.query(`${triggers("disable").join("")} ${updates}; ${triggers("enable").join("")}`);
}

/** Gives all events of today a time on another day. Resolves to what follows them. */
async function backdate(day: string): Promise<Cut> {
  const update = (table: string) => `update ${table} set time = '${day}' where time > now() - interval '1 day'`;
  await rewrite(tables.map(update).join(";"));
  const [cut] = await server.database.query<Cut>(`
    select (select max(sequence) + 1 from events)::text as event,
      (select max(sequence) + 1 from directory_events)::text as "directoryEvent"`);
  return cut as Cut;
}

const call = (rpc: string, request: object) => bodyOf(server.call(rpc, request, { token: root }));

const env = () => ({ DATABASE_URL: server.database.url });
const args = (day: string, ...more: string[]) => ["events", "archive", "--before", day, "--folder", folder, ...more];
const archive = (day: string, ...more: string[]) => runCommand(args(day, ...more), { env: env() });

/** All pages of a history, with the total. */
async function listed(rpc: string, filters: object[] = []) {
  const body = await bodyOf(server.callService(rpc, { filters, pagination: { limit: 100 } }, { token: root }));
  return { total: Number(body.pagination.totalResult), events: body.events as { sequence: string }[] };
}
const ofAssignments = "authorization.v2.AuthorizationHistoryService/ListAuthorizationEvents";
const ofDirectory = "directory.v1.DirectoryHistoryService/ListDirectoryEvents";

const fileBefore = (day: string) => join(folder, `history-before-${day}.ndjson`);

async function lines(day: string): Promise<Record<string, { sequence: string }>[]> {
  return objectsIn(await readFile(fileBefore(day), "utf8"));
}

/** The sequences that are stored, whether or not they are kept. */
async function stored() {
  const { query } = server.database;
  const of = async (table: string) => {
    const rows = await query<{ text: string }>(`select sequence::text as text from ${table} order by sequence`);
    return rows.map(({ text }) => text);
  };
  return { events: await of("events"), directoryEvents: await of("directory_events") };
}

/** Fails unless everything before the cut is archived, and rows, totals and files agree. */
async function expectArchived(before: Awaited<ReturnType<typeof stored>>, cut = march, ...days: string[]) {
  const isKept = (from: string) => (sequence: string) => BigInt(sequence) >= BigInt(from);
  const { events, directoryEvents } = before;
  const added = (await stored()).events.filter((sequence) => !events.includes(sequence));
  expect(await stored()).toMatchObject({
    events: [...events.filter(isKept(cut.event)), ...added],
    directoryEvents: directoryEvents.filter(isKept(cut.directoryEvent)),
  });
  const places = "select from directory_event_places where sequence not in (select sequence from directory_events)";
  expect(await server.database.query(places)).toEqual([]);
  for (const history of [ofAssignments, ofDirectory]) {
    const { total, events } = await listed(history);
    expect(events).toHaveLength(total);
  }
  expect(await readdir(folder)).toEqual(days.map((day) => `history-before-${day}.ndjson`));
  const all = (await Promise.all(days.map(lines))).flat();
  const inFiles = (kind: string) => all.flatMap((line) => line[kind]?.sequence ?? []);
  const isArchived = (from: string) => (sequence: string) => !isKept(from)(sequence);
  expect(inFiles("event")).toEqual(events.filter(isArchived(cut.event)));
  expect(inFiles("directoryEvent")).toEqual(directoryEvents.filter(isArchived(cut.directoryEvent)));
  expect(await runCommand(["check"], { env: env() })).toMatchObject({ code: 0, stdout: "" });
}

/** Archives what is from before March, which must succeed. */
async function archiveAll(before: Awaited<ReturnType<typeof stored>>) {
  expect((await archive("2026-03-01")).code).toBe(0);
  await expectArchived(before, march, "2026-03-01");
}

describe("events archive", () => {
  test("writes the events from before a day to a file, and takes them out of lists, totals and tables", async () => {
    const before = await stored();
    const { total } = await listed(ofAssignments);
    const { code, stdout } = await archive("2026-03-01");
    const inMarch = before.events.filter((sequence) => BigInt(sequence) >= BigInt(march.event));
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `${before.events.length - inMarch.length} events of assignments, ${before.directoryEvents.length} of the directory -> ${fileBefore("2026-03-01")}\n`,
    });
    await expectArchived(before, march, "2026-03-01");
    expect((await listed(ofAssignments)).total).toBe(total - before.events.length + inMarch.length);
    const deactivated = (await lines("2026-03-01")).find(({ event }: any) => event?.type === "user.grant.deactivated");
    expect(deactivated).toMatchObject({ event: { authorizationId: "a1", actorId: "root" } });
  });

  test("archives only what is from before the day, and later the rest", async () => {
    const before = await stored();
    expect((await archive("2026-02-01")).code).toBe(0);
    await expectArchived(before, february, "2026-02-01");
    expect((await archive("2026-03-01")).code).toBe(0);
    await expectArchived(before, march, "2026-02-01", "2026-03-01");
    const again = await archive("2026-03-01");
    // Before that, it may say that it waits: Postgres' own analyzing also counts as a change that is running.
    const stderr = expect.stringMatching(/^(Waiting .*\n)?There are no events from before 2026-03-01\.\n$/);
    expect(again).toMatchObject({ code: 0, stdout: "", stderr });
  });

  test("keeps what follows the first event of the day, whatever its date, and ignores dates in the future", async () => {
    await call("ActivateAuthorization", { id: "a1" });
    await rewrite(`
      update events set time = '2999-01-01' where sequence = (select min(sequence) from events);
      update events set time = '2026-01-01' where sequence = (select max(sequence) from events)`);
    const before = await stored();
    await archiveAll(before);
  });

  test("with --dry-run, says what it would do and changes nothing", async () => {
    const before = await stored();
    const { code, stdout } = await archive("2026-03-01", "--dry-run");
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(`-> ${fileBefore("2026-03-01")}`) });
    expect(await readdir(folder)).toEqual([]);
    expect(await stored()).toEqual(before);
  });

  test("refuses what is no day, and days to come", async () => {
    const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    for (const day of ["2026-01", "2026-13-01", "2026-02-30", "2026", tomorrow, "2999-01-01"]) {
      expect(await archive(day), day).toMatchObject({ code: 1, stderr: expect.stringMatching(/^--before must be /) });
    }
  });

  test("is the owner's: the role of the service is refused, and no file is written", async () => {
    const guarded = await createGuardedDatabase();
    const as = (url: string) => runCommand(args("2026-02-01"), { env: { DATABASE_URL: url } });
    const stderr = "This command needs the role of the database's owner. Use its URL in DATABASE_URL.\n";
    expect(await as(guarded.serviceUrl)).toMatchObject({ code: 1, stderr });
    expect(await readdir(folder)).toEqual([]);
    expect(await as(guarded.ownerUrl)).toMatchObject({ code: 0 });
    await guarded.drop();
  });

  test("runs once at a time", async () => {
    const other = await hold(server.database, "select pg_advisory_lock(720638143)");
    const refused = { code: 1, stderr: expect.stringContaining("Another archive is running") };
    expect(await archive("2026-03-01")).toMatchObject(refused);
    await other.rollback();
    const before = await stored();
    await archiveAll(before);
  });

  test("never replaces a file with other content", async () => {
    await writeFile(fileBefore("2026-03-01"), "something else\n");
    const before = await stored();
    const { total } = await listed(ofAssignments);
    const refused = { code: 1, stderr: expect.stringContaining("has other content") };
    expect(await archive("2026-03-01")).toMatchObject(refused);
    expect(await readFile(fileBefore("2026-03-01"), "utf8")).toBe("something else\n");
    expect(await stored()).toEqual(before);
    expect((await listed(ofAssignments)).total).toBe(total);
  });

  test.runIf(existsSync("/dev/full"))("deletes nothing when the disk is full, and says so", async () => {
    await symlink("/dev/full", `${fileBefore("2026-03-01")}.part`);
    const before = await stored();
    const { code, stderr } = await archive("2026-03-01");
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/cannot be written: ENOSPC[^\n]*\n$/) });
    expect(await stored()).toEqual(before);
  });
});

describe("events archive, ended in between and run again,", () => {
  const onClient = (work: (client: pg.Client) => Promise<unknown>) =>
    withOwnConnection({ connectionString: server.database.url }, work);
  /** What the first step does: it writes the file, and nothing else. */
  async function writeOnly(): Promise<string> {
    let text = "";
    await onClient(async (client) => {
      await client.query("begin isolation level repeatable read read only");
      for await (const some of historyText(client, march)) text += some;
    });
    await writeFile(fileBefore("2026-03-01"), text);
    return text;
  }

  test("continues after a part of a file", async () => {
    const before = await stored();
    await writeFile(`${fileBefore("2026-03-01")}.part`, '{"event":{"seq');
    await archiveAll(before);
  });

  test("continues after a whole file", async () => {
    const before = await stored();
    const text = await writeOnly();
    expect((await archive("2026-03-01")).code).toBe(0);
    expect(await readFile(fileBefore("2026-03-01"), "utf8")).toBe(text);
    await expectArchived(before, march, "2026-03-01");
  });

  test("continues to delete", async () => {
    const before = await stored();
    await writeOnly();
    await onClient((client) => stopKeeping(client, march));
    await server.database.query("select delete_archived(1)");
    expect((await stored()).events).toEqual(before.events.slice(1));
    const { code, stderr } = await archive("2026-03-01");
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/An earlier archive was not finished: deleted \d+ events\./),
    });
    await expectArchived(before, march, "2026-03-01");
  });

  test("leaves totals and rows in agreement while events are given up, but still there", async () => {
    await onClient((client) => stopKeeping(client, february));
    const firsts = { [ofAssignments]: february.event, [ofDirectory]: february.directoryEvent };
    for (const [history, first] of Object.entries(firsts)) {
      const { total, events } = await listed(history);
      expect(events).toHaveLength(total);
      expect(events.filter(({ sequence }) => BigInt(sequence) < BigInt(first))).toEqual([]);
    }
    const filters = [{ authorizationId: { id: "a2" } }];
    expect((await listed(ofAssignments, filters)).total).toBe(0);
    await onClient(async (client) => expect(await deleteSome(client)).toBeGreaterThan(0));
    expect((await listed(ofAssignments, filters)).total).toBe(0);
  });
});

test("beside events archive, a change that runs is waited for, and others don't wait", async () => {
  const before = await stored();
  const writer = await hold(server.database, "select pg_current_xact_id()");
  const running = startCommand(args("2026-03-01"), { env: env() });
  onTestFinished(() => void running.process.kill("SIGKILL"));
  await running.until("stderr", /Waiting until changes that are still running have ended/);
  await call("ActivateAuthorization", { id: "a1" });
  expect(await readdir(folder)).toEqual([]);
  await writer.rollback();
  expect(await running.ended).toMatchObject({ code: 0 });
  await expectArchived(before, march, "2026-03-01");
});

describe("After events archive,", () => {
  test("deleting again answers as before while the removal is kept", async () => {
    const again = (id: string) => server.call("DeleteAuthorization", { id }, { token: root });
    const [a2, a3, unknown] = [await again("a2"), await again("a3"), await again("never")];
    expect(a2.body.deletionDate).toBeDefined();
    await archive("2026-02-01");
    expect(await again("a3")).toMatchObject({ status: a3.status, body: a3.body });
    expect(await again("a2")).toMatchObject({ status: unknown.status });
  });

  test("the id of a removed thing is not free: its new users see nothing from before", async () => {
    const removed = () =>
      server.database.query("select kind, id, last_event, last_directory_event from removed_things");
    const before = await removed();
    expect(before).toContainEqual(expect.objectContaining({ kind: "project", id: "old" }));
    await archive("2026-03-01");
    expect(await removed()).toEqual(before);
  });

  test("a version from before is refused, and a new one is accepted", async () => {
    const send = (changes: object[], ifVersion?: string) =>
      server.callDirectory("ApplyChanges", { changes, ...(ifVersion && { ifVersion }) }, { token: root });
    const organization = { organization: { id: "acme", name: "Acme again" } };
    const { version } = (await send([])).body;
    await archive("2026-02-01");
    expect(await send([organization], version)).toMatchObject({ status: 409 });
    const after = (await send([])).body.version;
    expect(await send([organization], after)).toMatchObject({ status: 200 });
    await server.database.query("update kept_history set archived_in = '9999999999'::xid8");
    expect(await send([organization], after)).toMatchObject({ status: 409 });
  });

  test("a token whose creation is archived doesn't name a later user as its maker", async () => {
    await created(server, root, { userId: "bob", name: "from root" });
    await backdate("2026-02-20");
    const makers = async () =>
      (await listedTokens(server, root, { userId: "bob" })).map(({ maker }) => maker.displayName);
    const [named] = await makers();
    await archive("2026-03-01");
    expect(await makers()).toEqual([named]);
    await server.database.query(
      "insert into removed_things (kind, id, organization_id, last_event, last_directory_event) values ('user', 'root', 'acme', 0, 1)",
    );
    expect(await makers()).toEqual(["root"]);
  });
});
