import { afterEach, beforeEach, expect, test } from "vitest";
import type { Database } from "../../src/postgres/pool/database.ts";
import { postgresStores } from "../../src/postgres/stores.ts";
import { createTestDatabase, openService, type TestDatabase } from "../support/database.ts";
import { type HeldTransaction, hold } from "../support/locks.ts";
import { until } from "../support/until.ts";
import { type Asking, ask, askForList } from "./ask.ts";
import { verify } from "./check/verify.ts";
import { checkWatched } from "./check/watched.ts";
import { now } from "./clock.ts";
import type { ListCall, Operation } from "./operation.ts";
import { feedBugs, plant } from "./planted.ts";
import { seeded } from "./random.ts";
import { serveClient } from "./serve-client.ts";
import { readStored } from "./stored.ts";
import { newWatcher, runWatcher } from "./watchers.ts";
import { buildWorld, combination, home, shop } from "./world.ts";

/** Commits of changes wait for this lock, so that a test decides when they happen. */
const gate = 20_261_120;
const delayCommits = `
  create function wait_at_commit() returns trigger language plpgsql as $$
  begin
    perform pg_advisory_xact_lock_shared(${gate});
    return null;
  end $$;
  create constraint trigger commits_wait after insert on events deferrable initially deferred
    for each row execute function wait_at_commit()`;

let testDatabase: TestDatabase;
let database: Database;
let closing: (() => Promise<void>)[];

beforeEach(async () => {
  closing = [];
  testDatabase = await createTestDatabase();
  await testDatabase.load(...buildWorld(8, 1).changes);
  await testDatabase.query(delayCommits);
  database = openService(testDatabase.url, { poolSize: 5 });
});
afterEach(async () => {
  for (const close of closing) await close();
  await database.close();
  await testDatabase.drop();
});

async function serve(on: Database): Promise<Asking> {
  const { close, ...asking } = await serveClient(database, testDatabase, {
    authorizations: postgresStores(on).authorizations,
  });
  closing.push(close);
  return asking;
}

const place = combination("visitor-0", shop, home);
const read = { kind: "read" } as const;

async function createOne(asking: Asking): Promise<{ created: Operation; id: string }> {
  const created = await ask(asking, place, { kind: "create", roles: "seller" });
  return { created, id: (created.outcome.kind === "done" && created.outcome.id) || "" };
}

function holdCommits(): Promise<HeldTransaction> {
  return hold(testDatabase, `select pg_advisory_xact_lock(${gate})`);
}

/** What the check says of it, once all is committed. */
async function judge(operations: Operation[], lists: ListCall[] = []): Promise<string[]> {
  const stored = await readStored(await testDatabase.connect());
  const violations = verify({ operations, lists, directory: [], clockSkew: 100, ...stored }, [place]);
  return violations.map(({ what }) => what);
}

test("A service that answers before it commits is found out by who reads in between", async () => {
  const asking = await serve(plant("answer-before-commit", database));
  // By another server, which has committed when it answers.
  const { created, id } = await createOne(await serve(database));
  const lock = await holdCommits();
  const updated = await ask(asking, place, { kind: "update", id, roles: "buyer" });
  await lock.untilWaiting(1);
  const early = await ask(asking, place, read);
  await lock.rollback();
  // It waits for the lock that the update gives back with its commit.
  const again = await ask(asking, place, { kind: "update", id, roles: "buyer" });
  expect(updated.outcome.kind).toBe("done");
  expect(await judge([created, updated, early, again])).toEqual([`no order explains the answers: ${place.key}`]);
});

test("The service, which answers when it has committed, is not", async () => {
  const asking = await serve(database);
  const { created, id } = await createOne(asking);
  const lock = await holdCommits();
  const updating = ask(asking, place, { kind: "update", id, roles: "buyer" });
  await lock.untilWaiting(1);
  const early = await ask(asking, place, read);
  await lock.rollback();
  expect(await judge([created, await updating, early, await ask(asking, place, read)])).toEqual([]);
});

test("A service that repeats a change when unsure is detected by changes that no one asked for", async () => {
  const asking = await serve(plant("commit-twice", database));
  const operations: Operation[] = [];
  for (let doubted = false; !doubted; ) {
    const { created, id } = await createOne(asking);
    operations.push(created);
    doubted = created.outcome.kind !== "done";
    if (!doubted) operations.push(await ask(asking, place, { kind: "delete", id }));
  }
  expect(await judge(operations)).toContain("an event that nobody asked for");
});

test("A service that shows a list it kept is found out by who wrote before", async () => {
  const asking = await serve(plant("stale-list", database));
  const { created, id } = await createOne(asking);
  const before = await ask(asking, place, read);
  const updated = await ask(asking, place, { kind: "update", id, roles: "buyer" });
  const after = await ask(asking, place, read);
  expect(await judge([created, before, updated, after])).toEqual([`no order explains the answers: ${place.key}`]);
});

/** One whose end has passed, though no one has written it. */
async function createEnded(asking: Asking): Promise<{ operations: Operation[]; id: string }> {
  const expirationDate = Math.floor((now() + 500) * 1_000);
  const created = await ask(asking, place, { kind: "create", roles: "seller", expirationDate });
  const operations = [created];
  await until("the end", async () => {
    const seen = await ask(asking, place, read);
    operations.push(seen);
    return seen.outcome.kind === "shown" && seen.outcome.row?.expired === true;
  });
  return { operations, id: (created.outcome.kind === "done" && created.outcome.id) || "" };
}

const inForce = { state: "active", offset: 0, limit: 10 } as const;

test.each([
  ["A service whose kept totals count what has ended", "uncorrected-totals", "a page and a total that differ"],
  ["A service that changes what has ended without its end", "unwritten-end", "an end of which no event tells"],
])("%s is found out", async (_, bug, violation) => {
  const asking = await serve(plant(bug, database));
  const { operations, id } = await createEnded(asking);
  const list = await askForList(asking, inForce);
  const updated = await ask(asking, place, { kind: "update", id, roles: "buyer" });
  expect(await judge([...operations, updated], [list])).toContain(violation);
});

test("The service, which counts and writes ends, is not", async () => {
  const asking = await serve(database);
  const { operations, id } = await createEnded(asking);
  const list = await askForList(asking, inForce);
  const updated = await ask(asking, place, { kind: "update", id, roles: "buyer" });
  expect(await judge([...operations, updated], [list])).toEqual([]);
});

test.each([
  ["A feed that skips an event is found out", "skipped-event", ["an event that a watcher was never told"]],
  ["A feed that repeats an event is found out", "repeated-event", ["a watcher was told an event twice"]],
  ["The feed, which does neither, is not", undefined, []],
])("%s by a watcher", async (_, bug, violations) => {
  const spoil = feedBugs[bug ?? ""] ?? ((same) => same);
  const { close, ...asking } = await serveClient(database, testDatabase, {
    feed: spoil(postgresStores(database).feed),
  });
  closing.push(close);
  const watched = newWatcher(0, [asking.client]);
  const over = new AbortController();
  const begun = Promise.withResolvers<void>();
  const watching = runWatcher(watched, seeded(1), {
    ...{ servers: [asking.server], tokens: new Map([[asking.client, asking.token]]) },
    ...{ signal: over.signal, begun: begun.resolve },
  });
  await begun.promise;
  const { id } = await createOne(asking);
  for (const roles of ["buyer", "seller", "buyer", "seller", "buyer", "seller", "buyer"])
    await ask(asking, place, { kind: "update", id, roles });
  const { events } = await readStored(await testDatabase.connect());
  await until("the last event", async () => watched.told.has(events.at(-1)?.sequence ?? 0));
  over.abort();
  await watching;
  expect(checkWatched(watched, events, [place]).map(({ what }) => what)).toEqual(violations);
});
