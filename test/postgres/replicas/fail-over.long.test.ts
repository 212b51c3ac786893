import sql from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Database, openDatabase } from "../../../src/postgres/pool/database.ts";
import { type HostState, openProbe } from "../../../src/postgres/pool/host-probe.ts";
import { isPrimaryAfter, openHosts } from "../../../src/postgres/pool/hosts.ts";
import { openReplicated } from "../../../src/postgres/replicas/replicated-database.ts";
import { startCommand } from "../../support/command.ts";
import { type Replicated, startReplicated, type TestReplica, untilLeftOut } from "../../support/replicated.ts";
import { openProxy, type TcpProxy } from "../../support/tcp-proxy.ts";
import { until } from "../../support/until.ts";

const { signal } = new AbortController();

describe.each([
  ["is cut off", (way: TcpProxy) => way.cut(), "refused"],
  ["hangs, without closing a connection", async (way: TcpProxy) => way.swallow(), "repeated"],
] as const)("When the primary %s and a synchronous replica is promoted,", (_, harm, outcome) => {
  let world: Replicated;
  let next: TestReplica;
  let way: TcpProxy;

  beforeAll(async () => {
    world = await startReplicated();
    next = world.replicas[0] as TestReplica;
    const { database } = world.primary;
    await database.query("create table notes (id integer primary key)");
    await database.query("alter system set synchronous_standby_names = 'replica_1'");
    await database.query("select pg_reload_conf()");
    await until("the standby to be synchronous", async () => {
      const found = await database.query("select from pg_stat_replication where sync_state = 'sync'");
      return found.length === 1;
    });
    way = await openProxy(database.url);
  });
  afterAll(async () => {
    await way.close();
    await world.stop();
  });

  test("reads and writes go on there, and show everything acknowledged before", async () => {
    const moved: string[] = [];
    const { database, replicated } = await open([way.url, next.url], world, (url) => moved.push(url));
    await world.untilUsed(replicated);
    const acknowledged: number[] = [];
    let last = 0;
    const write = async () => {
      last += 1;
      const id = last;
      await replicated.transaction(signal, ({ query }) => query(sql`insert into notes values (${id})`));
      acknowledged.push(id);
    };
    for (let count = 1; count <= 20; count += 1) await write();
    // Runs on the old primary. It is repeated, either at once in vain, or when the new one is known.
    const reading = database.query<{ done: number }>(
      sql`select 1 as done from (select case when ${isFirstTimeline} then pg_sleep(60) end) as slept`,
      signal,
    );
    const repeated = expect(reading)[outcome === "repeated" ? "resolves" : "rejects"].toMatchObject(
      outcome === "repeated" ? [{ done: 1 }] : { reason: "DATABASE_UNAVAILABLE" },
    );
    await until("the read to run", async () => (await world.primary.database.query(selectSleeping)).length === 1);

    await harm(way);
    await next.query("select pg_promote()");
    await until("a write on the new primary", () =>
      write().then(
        () => true,
        () => false,
      ),
    );
    await repeated;
    expect(moved).toEqual([next.url]);
    const ids = (await replicated.query<{ id: number }>(sql`select id from notes order by id`, signal)).map(
      ({ id }) => id,
    );
    expect(ids).toEqual(expect.arrayContaining(acknowledged));
    // One is the primary now, the other one is left on the old timeline.
    await untilLeftOut(replicated, 0, "primary");
    await until("the other one to be left out", () => replicated.replicas()[1]?.leftOut !== undefined);
    expect(await world.replicas[1]?.query("select pg_is_in_recovery() as replica")).toEqual([{ replica: true }]);
  });

  test("a server that starts then finds it, in any order of the hosts", async () => {
    for (const urls of [
      [way.url, next.url],
      [next.url, way.url],
    ]) {
      const { database } = await open(urls, world);
      expect(await database.query(sql`select pg_is_in_recovery() as replica`, signal)).toEqual([{ replica: false }]);
      expect(await database.query(sql`select ${isFirstTimeline} as old`, signal)).toEqual([{ old: false }]);
    }
  });

  test("a command finds it among the hosts of DATABASE_URL, and ends", async () => {
    const command = (env: Record<string, string>) => startCommand(["token", "list"], { env, longestMs: 60_000 }).ended;
    const { host: first } = new URL(way.url);
    const url = (others: string) => `postgresql://postgres@${first},${others}/postgres?target_session_attrs=primary`;
    expect(await command({ DATABASE_URL: url(new URL(next.url).host) })).toMatchObject({ code: 0 });
    const { host: reading } = new URL(world.replicas[1]?.url ?? "");
    expect(await command({ DATABASE_URL: url(reading), QUEUE_TIMEOUT_MS: "500" })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("the database can't be reached"),
    });
  });

  test("an old primary that can be reached again is not used", async () => {
    const { database } = await open([way.url, next.url], world);
    await way.restore();
    const old = openProbe(way.url);
    onTestFinished(old.close);
    expect(await until("the old primary", () => old.ask())).toMatchObject({ isWritable: true, timeline: 1 });
    const found = await open([way.url, next.url], world);
    for (const one of [database, found.database]) {
      expect(await one.query(sql`select ${isFirstTimeline} as old`, signal)).toEqual([{ old: false }]);
    }
  });
});

const isFirstTimeline = sql`left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) = '00000001'`;
const selectSleeping =
  "select from pg_stat_activity where state = 'active' and query like '%pg_sleep(60)%' and pid <> pg_backend_pid()";

/** As a server does it. */
async function open(
  urls: readonly string[],
  world: Replicated,
  onMove: (url: string) => void = () => {},
): Promise<{ database: Database; replicated: ReturnType<typeof openReplicated> }> {
  const hosts = openHosts(urls);
  await hosts.find();
  hosts.watch(onMove);
  const options = {
    ...{ connection: hosts.connection, hosts, poolSize: 5 },
    ...{ statementTimeoutMs: 60_000, longestWaitMs: 2_000, onIdleError: () => {} },
  };
  const replicas = world.replicas.map(({ url }) => ({ connectionString: url }));
  const database = openDatabase(options);
  const replicated = openReplicated({ primary: database, options, replicas, onChange: () => {} });
  onTestFinished(async () => {
    hosts.close();
    await replicated.close();
  });
  return { database, replicated };
}

describe("A host is the primary", () => {
  const state = (timeline: number, isWritable = true, cluster = "one"): HostState => ({
    ...{ timeline, isWritable, cluster },
  });

  test.each([
    ["if it is the first one that can be written to", state(1), undefined, true],
    ["if it was promoted after the known one", state(3), state(2), true],
    ["but not if it only reads", state(3, false), state(2), false],
    ["but not if it only reads and none is known", state(1, false), undefined, false],
    ["but not if it is an old one that is still alive", state(1), state(2), false],
    ["but not if another one of its timeline is known", state(2), state(2), false],
    ["but not if it is of another cluster", state(3, true, "two"), state(2), false],
  ])("%s", (_, found, known, is) => {
    expect(isPrimaryAfter(found, known)).toBe(is);
  });
});
