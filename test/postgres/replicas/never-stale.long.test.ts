import sql from "sql-template-tag";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { leftOut } from "../../../src/postgres/pool/bounded-result.ts";
import type { Database } from "../../../src/postgres/pool/database.ts";
import type { Statement } from "../../../src/postgres/pool/prepared.ts";
import { primaryNow } from "../../../src/postgres/pool/primary-time.ts";
import { replicatedOfTests, untilLeftOut } from "../../support/replicated.ts";
import { until } from "../../support/until.ts";

const world = await replicatedOfTests();
const { signal } = new AbortController();
await world.primary.database.query("create table notes (id integer primary key)");
const servers = [world.open(), world.open()] as const;
beforeEach(async () => {
  await world.primary.database.query("truncate notes");
  for (const server of servers) await world.untilUsed(server);
});

const write = (database: Database, id: number) =>
  database.transaction(signal, ({ query }) => query(sql`insert into notes values (${id})`));

async function idsIn(database: Database): Promise<number[]> {
  return (await database.query<{ id: number }>(sql`select id from notes order by id`, signal)).map(({ id }) => id);
}

const answeredByReplicas = () =>
  servers.flatMap((server) => server.replicas()).reduce((sum, { answered }) => sum + answered, 0);

test("what was acknowledged is in the very next read of every server, most of them on replicas", async () => {
  const before = answeredByReplicas();
  for (let id = 1; id <= 200; id += 1) {
    await write(servers[id % 2 === 0 ? 0 : 1], id);
    expect((await idsIn(servers[id % 3 === 0 ? 0 : 1])).length).toBe(id);
  }
  expect(answeredByReplicas() - before).toBeGreaterThan(0);
});

test("a replica that doesn't replay is left out, and used again when it has caught up", async () => {
  const [slow] = world.replicas;
  await slow?.pauseReplay();
  onTestFinished(async () => {
    await slow?.query("select pg_wal_replay_resume()");
  });
  // What the test before left may still be there.
  const count = "select count(*)::integer as count from notes";
  const before = await slow?.query(count);
  for (let id = 1; id <= 50; id += 1) {
    await write(servers[0], id);
    expect((await idsIn(servers[1])).length).toBe(id);
  }
  expect(await slow?.query(count)).toEqual(before);
  await untilLeftOut(servers[1], 0, "behind");
  expect(servers[1].replicas()[0]?.lagBytes).toBeGreaterThan(0);
  await slow?.query("select pg_wal_replay_resume()");
  await untilLeftOut(servers[1], 0, undefined);
});

test("all reads of all servers agree on one order of the writes, in time", async () => {
  type Observed = { readonly began: number; readonly ended: number; readonly ids: ReadonlySet<number> };
  const observed: Observed[] = [];
  const acknowledged = new Map<number, number>();
  const reads: readonly (() => Promise<number[]>)[] = [
    ...servers.map((server) => () => idsIn(server)),
    async () => (await world.primary.database.query<{ id: number }>("select id from notes")).map(({ id }) => id),
  ];
  const writer = async (first: number) => {
    for (let id = first; id < first + 100; id += 1) {
      await write(servers[id % 2 === 0 ? 0 : 1], id);
      acknowledged.set(id, performance.now());
    }
  };
  let isOver = false;
  const reader = async (index: number) => {
    while (!isOver) {
      const began = performance.now();
      const ids = new Set(await reads[index % reads.length]?.());
      observed.push({ began, ended: performance.now(), ids });
    }
  };
  const readers = [0, 1, 2, 3, 4, 5].map(reader);
  await Promise.all([1, 1_001, 2_001].map(writer));
  isOver = true;
  await Promise.all(readers);

  for (const { began, ids } of observed) {
    for (const [id, at] of acknowledged) if (at < began) expect(ids).toContain(id);
  }
  const bySize = observed.toSorted((a, b) => a.ids.size - b.ids.size);
  for (const [index, { ids }] of bySize.entries()) {
    const larger = bySize[index + 1]?.ids ?? ids;
    expect(ids.isSubsetOf(larger), "one of two reads shows all that the other shows").toBe(true);
  }
  // What one read has shown, each read that begins after it shows as well.
  const byEnd = observed.toSorted((a, b) => a.ended - b.ended);
  let largest = 0;
  let next = 0;
  for (const { began, ids } of observed.toSorted((a, b) => a.began - b.began)) {
    for (; (byEnd[next]?.ended ?? Number.POSITIVE_INFINITY) < began; next += 1) {
      largest = Math.max(largest, byEnd[next]?.ids.size ?? 0);
    }
    expect(ids.size).toBeGreaterThanOrEqual(largest);
  }
});

test("times are compared with the primary's clock, on a replica as well", async () => {
  await world.primary.database.query("create schema wrong");
  await world.primary.database.query(
    "create function wrong.now() returns timestamptz language sql as $$ select clock_timestamp() + interval '1 day' $$",
  );
  const options = encodeURIComponent("-c search_path=public,wrong,pg_catalog");
  const database = world.open({ urls: world.replicas.map(({ url }) => `${url}?options=${options}`) });
  await world.untilUsed(database);
  // The primary may have to answer now and then, and its clock is right.
  const row = await until("an answer of a replica", async () => {
    const [row] = await database.query<{ own: boolean; primary: boolean }>(
      sql`select now() > clock_timestamp() + interval '1 hour' as own,
        ${primaryNow} > clock_timestamp() + interval '1 hour' as primary`,
      signal,
    );
    return row?.own && row;
  });
  expect(row).toEqual({ own: true, primary: false });
});

test("a result is bounded on a replica as on the primary, also if it needs the primary's clock", async () => {
  const large = sql`select json_build_array(repeat('x', 1000)) as large where ${primaryNow} > '2000-01-01'`;
  const mostJson = { bytes: 500, besidesFirst: false };
  const read = ({ text, values }: Statement) => servers[0].query({ text, values, mostJson }, signal);
  await until("an answer of a replica", async () => {
    const before = servers[0].answeredByPrimary();
    await servers[0].query(large, signal);
    return servers[0].answeredByPrimary() === before;
  });
  for (let times = 0; times < 10; times += 1) expect(await read(large)).toEqual([{ large: leftOut }]);
});

test("a replica plans reads as the primary does", async () => {
  const mode = await until("an answer of a replica", async () => {
    const [row] = await servers[0].query<{ mode: string; isReplica: boolean }>(
      sql`select current_setting('plan_cache_mode') as mode, pg_is_in_recovery() as "isReplica"`,
      signal,
    );
    return row?.isReplica && row.mode;
  });
  expect(mode).toBe("auto");
});

test("on the primary, the time is its own", async () => {
  const [row] = await servers[0].transaction(signal, ({ query }) =>
    query<{ same: boolean }>(sql`select ${primaryNow} = now() as same`),
  );
  expect(row).toEqual({ same: true });
});
