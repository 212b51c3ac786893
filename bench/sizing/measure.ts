import { readFile } from "node:fs/promises";
import type pg from "pg";
import { withClient } from "../../test/support/with-client.ts";
import { send } from "../load.ts";
import { processorTime } from "../processes.ts";
import { median, percentile } from "../statistics.ts";
import { type Processors, processorsOf } from "./processors.ts";
import type { Planned } from "./requests.ts";

/** Times in microseconds for each request, unless they say otherwise. Bytes and records for each changed assignment. */
export type Measured = {
  readonly name: string;
  readonly items: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly server: number;
  readonly client: number;
  readonly processors: Processors;
  readonly replica?: Processors;
  /** How long one request after the other takes: the deciles, in milliseconds. */
  readonly alone: readonly number[];
  /** How many cores other programs used meanwhile. */
  readonly others?: number;
  readonly wal?: { readonly bytes: number; readonly withImages: number };
};

export type Bench = {
  readonly world: pg.ClientConfig;
  readonly url: string;
  readonly server: number | undefined;
  readonly postmaster: number;
  readonly replica?: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
};

/** Warms up, then measures several rounds: each number is their median. */
export async function measure(bench: Bench, planned: Planned): Promise<Measured> {
  const { seconds, connections, rounds } = bench;
  const post = planned.post(bench.url);
  await send(post, { connections, seconds: Math.min(1, seconds) });
  const alone = await send(post, { connections: 1, seconds: Math.min(2, seconds) });
  const from = await position(bench.world);
  let requests = 0;
  const all: Omit<Measured, "alone" | "name" | "items">[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = await clock(bench);
    const run = await send(post, { connections, seconds });
    const after = await clock(bench);
    const count = run.milliseconds.length;
    requests += count;
    const sorted = run.milliseconds.toSorted((a, b) => a - b);
    const each = (a: number, b: number) => ((b - a) / count) * 1_000;
    const eachOf = (a: Processors, b: Processors): Processors => ({
      backends: each(a.backends, b.backends),
      background: each(a.background, b.background),
      senders: each(a.senders, b.senders),
      replay: each(a.replay, b.replay),
    });
    all.push({
      perSecond: count / run.seconds,
      ...{ p50Ms: percentile(sorted, 0.5), p99Ms: percentile(sorted, 0.99) },
      ...{ server: each(before.server, after.server), client: each(before.client, after.client) },
      others: (after.machine - ownOf(after) - (before.machine - ownOf(before))) / 1_000 / run.seconds,
      processors: eachOf(before.postgres, after.postgres),
      ...(before.replica && after.replica ? { replica: eachOf(before.replica, after.replica) } : {}),
    });
  }
  const over = (of: (one: (typeof all)[number]) => number) => median(all.map(of));
  const overAll = (of: (one: (typeof all)[number]) => Processors | undefined) => ({
    backends: over((one) => of(one)?.backends ?? 0),
    background: over((one) => of(one)?.background ?? 0),
    senders: over((one) => of(one)?.senders ?? 0),
    replay: over((one) => of(one)?.replay ?? 0),
  });
  const ordered = alone.milliseconds.toSorted((a, b) => a - b);
  return {
    ...{ name: planned.name, items: planned.items },
    ...{ perSecond: over((one) => one.perSecond), p50Ms: over((one) => one.p50Ms), p99Ms: over((one) => one.p99Ms) },
    ...{ server: over((one) => one.server), client: over((one) => one.client) },
    others: over((one) => one.others ?? 0),
    processors: overAll((one) => one.processors),
    ...(bench.replica === undefined ? {} : { replica: overAll((one) => one.replica) }),
    alone: Array.from({ length: 20 }, (_, index) => percentile(ordered, (index + 0.5) / 20)),
    ...(planned.isChange ? { wal: await walSince(bench.world, from, requests * planned.items) } : {}),
  };
}

async function clock({ server, postmaster, replica }: Bench) {
  const { user, system } = process.cpuUsage();
  return {
    machine: await machineTime(),
    server: await processorTime(server),
    client: (user + system) / 1_000,
    postgres: await processorsOf(postmaster),
    replica: replica === undefined ? undefined : await processorsOf(replica),
  };
}

type Clock = Awaited<ReturnType<typeof clock>>;

function ownOf({ server, client, postgres, replica }: Clock): number {
  const all = [postgres, ...(replica === undefined ? [] : [replica])];
  return server + client + all.reduce((sum, one) => sum + one.backends + one.background + one.senders + one.replay, 0);
}

/** The processor time of all programs of this machine together, in milliseconds. */
async function machineTime(): Promise<number> {
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = (await readFile("/proc/stat", "utf8"))
    .split("\n", 1)
    .join("")
    .split(/\s+/)
    .map(Number);
  return (user + nice + system + irq + softirq) * 10;
}

function position(world: pg.ClientConfig): Promise<string> {
  return withClient(world, async (client) => {
    await client.query("create extension if not exists pg_walinspect");
    const { rows } = await client.query<{ position: string }>("select pg_current_wal_insert_lsn()::text as position");
    return rows[0]?.position ?? "";
  });
}

function walSince(world: pg.ClientConfig, from: string, count: number) {
  return withClient(world, async (client) => {
    const { rows } = await client.query<{ records: number; images: number }>(
      `select coalesce(sum(record_size), 0)::float8 as records, coalesce(sum(fpi_size), 0)::float8 as images
      from pg_get_wal_stats($1::pg_lsn, pg_current_wal_flush_lsn(), false)`,
      [from],
    );
    const { records = 0, images = 0 } = rows[0] ?? {};
    return { bytes: records / count, withImages: (records + images) / count };
  });
}
