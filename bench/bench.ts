import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { callHeaders } from "../test/support/call-headers.ts";
import { withClient } from "../test/support/with-client.ts";
import type { CallerKind, Callers } from "./callers.ts";
import type { Load, Post } from "./load.ts";
import type { Options } from "./options.ts";
import type { BenchPostgres } from "./postgres.ts";
import { parentOf, processorTime, processorTimeOfPostgres } from "./processes.ts";
import type { CaseResult, Measurement } from "./results.ts";
import type { Servers, Side } from "./sides.ts";
import { type Run, ratioOf, summarize } from "./statistics.ts";

/** What every case works with. */
export type Bench = {
  readonly options: Options;
  readonly postgres: BenchPostgres;
  readonly world: pg.ClientConfig;
  readonly worldUrl: string;
  readonly postmaster: number;
  readonly callers: Callers;
  readonly servers: Servers;
  readonly say: (text: string) => void;
};

export type Case = {
  readonly name: string;
  readonly title: string;
  /** Only run when asked for by name. */
  readonly slow?: boolean;
  run(bench: Bench): Promise<Pick<CaseResult, "measurements" | "numbers" | "notes">>;
};

/** What is measured side by side in one case: which sides, by how many connections. */
export type Comparison = { readonly load: string; readonly connections: number; readonly sides: readonly Side[] };

/** Warms every side up, then lets each have its turn in every round. */
export async function compare(bench: Bench, { load, connections, sides }: Comparison): Promise<Measurement[]> {
  const { seconds, rounds } = bench.options;
  const turns: { side: Side; turn: Load; runs: Run[] }[] = [];
  for (const side of sides) {
    // A side that needs so long that a round would see next to nothing is asked a few times, by as many as have a core.
    const probe = await side.run({ connections: 1, seconds, amount: 1 });
    const slow = (probe.milliseconds[0] ?? 0) > seconds * 250;
    const few = Math.min(connections, availableParallelism());
    const turn = slow ? { connections: few, seconds, amount: 2 * few } : { connections, seconds };
    if (!slow) await side.run({ connections, seconds: Math.min(2, seconds) });
    await untilIdle(bench);
    turns.push({ side, turn, runs: [] });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { side, turn, runs } of turns) {
      runs.push(await withProcessorTime(bench, side, () => side.run(turn)));
      await untilIdle(bench);
    }
  }
  return turns.map(({ side, turn, runs }) => {
    const ratio = ratioOf(turns[0]?.runs ?? [], runs);
    const measurement = { side: side.name, load, connections: turn.connections, ...summarize(runs), ratio };
    const { achieved, p50, p99, serverMs, postgresMs } = measurement;
    const processor = serverMs === undefined ? "" : `   ${serverMs.toFixed(3)} + ${postgresMs?.toFixed(3)} ms`;
    bench.say(
      `  ${side.name.padEnd(28)} ${load.padEnd(12)} ${achieved.toFixed(1).padStart(9)} /s   ` +
        `p50 ${p50.toFixed(2)} ms   p99 ${p99.toFixed(2)} ms${processor}   first ÷ this ${ratio.toFixed(2)}`,
    );
    return measurement;
  });
}

async function withProcessorTime({ postmaster }: Bench, { pid }: Side, work: () => Promise<Run>): Promise<Run> {
  if (pid === undefined) return work();
  const used = async () => ({
    server: await processorTime(pid),
    postgres: await processorTimeOfPostgres(postmaster),
  });
  const before = await used();
  const run = await work();
  const after = await used();
  return {
    ...run,
    processor: { server: after.server - before.server, postgres: after.postgres - before.postgres },
  };
}

/** The first process of Postgres, which has started the others; NaN where the system does not tell. */
export function findPostmaster(world: pg.ClientConfig): Promise<number> {
  return withClient(world, async (client) => {
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    return parentOf(rows[0]?.pid);
  });
}

/** Statements of clients that are gone may still run, and would be paid for by the next side. */
export async function untilIdle({ world }: Bench): Promise<void> {
  // What has only just arrived gets to Postgres within this time.
  await sleep(200);
  await withClient(world, async (client) => {
    for (;;) {
      const { rows } = await client.query(`
        select from pg_stat_activity
        where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()
          and backend_type = 'client backend'`);
      if (rows.length === 0) return;
      await sleep(50);
    }
  });
}

const service = "service.authorization.v2.AuthorizationService";

/** A request to the service. */
export function askOurs({ servers, callers }: Bench, kind: CallerKind, rpc: string, request: object): Post {
  return {
    url: `${servers.ours.url}/${service}/${rpc}`,
    headers: callHeaders(callers[kind].token),
    body: Buffer.from(JSON.stringify(request)),
  };
}

/** A request to the rival, which takes the same JSON. */
export function askRival(
  { servers, callers }: Bench,
  kind: CallerKind,
  route: "list" | "overview" | "update" | "create" | "delete",
  request: object,
): Post {
  return {
    url: `${servers.rival.url}/${route}`,
    headers: callHeaders(callers[kind].token),
    body: Buffer.from(JSON.stringify(request)),
  };
}
