import type { Measured } from "../sizing/measure.ts";
import type { Result } from "../sizing/result.ts";
import type { Costs, Setup } from "./setup.ts";
import { type Outcome, simulate } from "./simulate.ts";

/** What a simulated machine of Postgres has, and how far machines are from each other. */
export const assumed = { coresOfPostgres: 8, networkMs: 0.1, replicationMs: 0.3, changesPerSecond: 100 };

export const loads = [2_000, 5_000, 10_000, 20_000, 50_000, 100_000];
export const replicaCounts = [0, 1, 2, 4, 8];
export const lags = [0.3, 2, 5, 10, 20, 50];
export const outages = [1, 2, 10, 30];

/**
 * What this machine would do by the simulation, for what was measured on it.
 *
 * @param cores those that other programs left
 */
export function predict(result: Result, measured: Measured, connections: number, cores: number): Outcome {
  const costs = costsOf(result, measured);
  return simulate({
    setup: {
      ...{ servers: 1, coresOfPostgres: cores, sharedCores: cores, replicas: 0, connections: 10, seed: 1 },
      ...{ list: costs, change: costs, statements: 1, question: 0, snapshot: 0, replay: 0 },
      ...{ networkMs: 0, replicationMs: 0, factors: factorsOf(measured) },
    },
    load: { listsPerSecond: 0, changesPerSecond: 0, clients: connections },
    ...{ seconds: 12, warmUpSeconds: 2 },
  });
}

/** Short lists by a number of replicas, beside some changes. */
export function underLoad(result: Result, replicas: number, listsPerSecond: number): Outcome {
  const seconds = Math.min(2, 80_000 / listsPerSecond) + 0.3;
  return simulate({
    setup: setupOf(result, replicas, listsPerSecond),
    load: { listsPerSecond, changesPerSecond: assumed.changesPerSecond },
    ...{ seconds, warmUpSeconds: 0.3 },
  });
}

export function withLag(result: Result, replicationMs: number, changesPerSecond: number): Outcome {
  return simulate({
    setup: { ...setupOf(result, 4, 10_000), replicationMs },
    load: { listsPerSecond: 10_000, changesPerSecond },
    ...{ seconds: 3, warmUpSeconds: 0.5 },
  });
}

export function withOutage(result: Result, seconds: number): Outcome {
  return simulate({
    setup: setupOf(result, 2, 4_000),
    load: { listsPerSecond: 2_000, changesPerSecond: assumed.changesPerSecond },
    outage: { from: 3, seconds },
    ...{ seconds: seconds + 15, warmUpSeconds: 0 },
  });
}

function setupOf(result: Result, replicas: number, listsPerSecond: number): Setup {
  const [list, change, replicated] = [
    named(result.onPrimary, "short list"),
    named(result.onPrimary, "update"),
    named(result.replicated, "short list"),
  ];
  const costs = { ...costsOf(result, list), client: 0 };
  const server = replicas === 0 ? costs.server : replicated.server / 1_000;
  const replay = (named(result.replicated, "update").replica?.replay ?? 0) / 1_000;
  // What a list costs a replica beyond the list itself goes into finding its snapshots.
  const found = Math.max(0, (replicated.replica?.backends ?? 0) - list.processors.backends) / 1_000;
  const statements = 2;
  return {
    ...assumed,
    // Busy for 60% of the time.
    servers: Math.ceil((listsPerSecond * server) / 1_000 / 0.6) + 1,
    ...{ replicas, list: { ...costs, server }, change: { ...costsOf(result, change), client: 0 }, statements },
    ...{ question: result.costs.question / 1_000, snapshot: found / statements, replay },
    ...{ connections: 200, factors: factorsOf(list), seed: 1 },
  };
}

function named(all: readonly Measured[], name: string): Measured {
  const found = all.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} was not measured`);
  return found;
}

/** A list reads from memory, and a change waits for one flush of the log. */
function costsOf({ costs }: Result, { server, client, processors, items }: Measured): Costs {
  const [postgres, wait] = [processors.backends + processors.background, items > 0 ? (costs.flush ?? 0) : 0];
  return { server: server / 1_000, client: client / 1_000, postgres: postgres / 1_000, wait: wait / 1_000 };
}

/** The slowest tenth tells what other programs did. */
function factorsOf({ alone }: Measured): number[] {
  const usual = alone.slice(0, Math.ceil(alone.length * 0.9));
  return usual.map((one) => one / mean(usual));
}

function mean(all: readonly number[]): number {
  return all.reduce((sum, one) => sum + one, 0) / all.length;
}
