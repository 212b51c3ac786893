import { afterAll, beforeAll, expect, test } from "vitest";
import { openConnections } from "../../src/postgres/pool/connections.ts";
import { openDatabase } from "../../src/postgres/pool/database.ts";
import { primarySnapshots } from "../../src/postgres/replicas/primary-snapshots.ts";
import { type ReplicatedDatabase, replicatedBy } from "../../src/postgres/replicas/replicated-database.ts";
import { type Replicated, startReplicated, type TestReplica } from "../support/replicated.ts";
import { until } from "../support/until.ts";
import { ask } from "./ask.ts";
import { verify } from "./check/verify.ts";
import { replicaBugs } from "./planted.ts";
import { serveClient } from "./serve-client.ts";
import { readStored } from "./stored.ts";
import { buildWorld, combination, home, shop } from "./world.ts";

let world: Replicated;
let replica: TestReplica;

beforeAll(async () => {
  world = await startReplicated({ count: 1 });
  replica = world.replicas[0] as TestReplica;
  await world.primary.database.import(...buildWorld(8, 2).changes);
});
afterAll(() => world.stop());

function open(bug: string | undefined): ReplicatedDatabase {
  const connection = { connectionString: world.primary.database.url };
  const options = { connection, poolSize: 5, statementTimeoutMs: 60_000, onIdleError: () => {} };
  const spoil = replicaBugs[bug ?? ""] ?? ((same) => same);
  return replicatedBy(spoil(primarySnapshots(openConnections({ ...options, poolSize: 1 }))), {
    ...{ primary: openDatabase(options), options, replicas: [{ connectionString: replica.url }], onChange: () => {} },
  });
}

/** Reads before and after an update that the replica doesn't replay, and returns what the check says of it. */
async function judge(database: ReplicatedDatabase, visitor: string): Promise<string[]> {
  const asking = await serveClient(database, world.primary.database);
  const countTokens = "select count(*)::integer as count from tokens";
  const [all] = await world.primary.database.query<{ count: number }>(countTokens);
  await until("the token on the replica", async () => {
    const [row] = await replica.query<{ count: number }>(countTokens);
    return row?.count === all?.count;
  });
  const place = combination(visitor, shop, home);
  const created = await ask(asking, place, { kind: "create", roles: "seller" });
  const id = (created.outcome.kind === "done" && created.outcome.id) || "";
  await world.untilUsed(database);
  const before = await ask(asking, place, { kind: "read" });
  await replica.pauseReplay();
  const updated = await ask(asking, place, { kind: "update", id, roles: "buyer" });
  const after = await ask(asking, place, { kind: "read" });
  await replica.query("select pg_wal_replay_resume()");
  await asking.close();
  await database.close();
  const stored = await readOne(id);
  const operations = [created, before, updated, after];
  return verify({ operations, lists: [], directory: [], clockSkew: 0, ...stored }, [place]).map(({ what }) => what);
}

/** What is stored of one authorization, because the tests share the database. */
async function readOne(id: string): Promise<Awaited<ReturnType<typeof readStored>>> {
  const { events, rows, ...rest } = await readStored(await world.primary.database.connect());
  const isIt = (one: { id: string }) => one.id === id;
  return { ...rest, events: events.filter(isIt), rows: rows.filter(isIt) };
}

test("A service that reads from a replica without asking where the primary is, is found out by what was acknowledged", async () => {
  const violations = await judge(open("unasked-replica"), "visitor-0");
  expect(violations).toEqual([`no order explains the answers: ${combination("visitor-0", shop, home).key}`]);
});

test("The service, which asks, is not", async () => {
  expect(await judge(open(undefined), "visitor-1")).toEqual([]);
});
