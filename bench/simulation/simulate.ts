import { seeded } from "../../test/history/random.ts";
import { percentile } from "../statistics.ts";
import { newEngine } from "./engine.ts";
import { newService } from "./service.ts";
import type { Setup } from "./setup.ts";

export type Load = {
  /** Requests that arrive in a second at random times. */
  readonly listsPerSecond: number;
  readonly changesPerSecond: number;
  /** Or so many clients, each of which sends its next list when the last one is answered. */
  readonly clients?: number;
};

export type Run = {
  readonly setup: Setup;
  readonly load: Load;
  readonly seconds: number;
  /** Requests that begin earlier are not counted. */
  readonly warmUpSeconds: number;
  /** The primary is away for a while; both in seconds. */
  readonly outage?: { readonly from: number; readonly seconds: number };
};

/** Times are milliseconds, from the first try to the answer. */
export type Outcome = {
  readonly lists: Summary;
  readonly changes: Summary;
  /** The part of the lists that replicas answered. */
  readonly byReplicas: number;
  /** Tries that failed because there was no primary. */
  readonly failedTries: number;
  /** How long after the end of the outage lists took less than twice as long as before, in seconds. */
  readonly backAfter?: number;
  readonly counts: { readonly begun: number; readonly done: number; readonly open: number };
};

type Summary = {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
  readonly mean: number;
};

/** A client tries again after this time, then after twice as long, up to the longest. */
const [firstPauseMs, longestPauseMs] = [100, 1_000];

/** The same setup and load give the same outcome. */
export function simulate({ setup, load, seconds, warmUpSeconds, outage }: Run): Outcome {
  const engine = newEngine();
  const service = newService(engine, setup);
  const random = seeded(setup.seed).derive("arrivals");
  const counts = { begun: 0, done: 0, open: 0 };
  const times = { list: [] as Timed[], change: [] as Timed[] };
  let failedTries = 0;
  let byReplicas = 0;

  function begin(kind: "list" | "change", then: () => void = () => {}): void {
    const started = engine.now();
    counts.begun += 1;
    counts.open += 1;
    let pause = firstPauseMs;
    const attempt = () => service[kind](finish);
    function finish(isDone: boolean, byReplica = 0): void {
      if (!isDone) {
        failedTries += 1;
        engine.after(pause * random.between(0.5, 1), attempt);
        pause = Math.min(longestPauseMs, pause * 2);
        return;
      }
      counts.done += 1;
      counts.open -= 1;
      if (started >= warmUpSeconds * 1_000) {
        times[kind].push({ started, took: engine.now() - started });
        byReplicas += byReplica;
      }
      then();
    }
    attempt();
  }

  function arrive(kind: "list" | "change", perSecond: number): void {
    if (perSecond === 0) return;
    engine.after((-Math.log(1 - random.fraction()) * 1_000) / perSecond, () => {
      begin(kind);
      arrive(kind, perSecond);
    });
  }

  arrive("list", load.listsPerSecond);
  arrive("change", load.changesPerSecond);
  const again = () => begin("list", again);
  for (let client = 0; client < (load.clients ?? 0); client += 1) again();
  if (outage !== undefined) {
    engine.after(outage.from * 1_000, () => service.setAvailable(false));
    engine.after((outage.from + outage.seconds) * 1_000, () => service.setAvailable(true));
  }
  engine.runUntil(seconds * 1_000);
  const measuredSeconds = seconds - warmUpSeconds;
  return {
    lists: summarize(times.list, measuredSeconds),
    changes: summarize(times.change, measuredSeconds),
    byReplicas: times.list.length === 0 ? 0 : byReplicas / times.list.length,
    failedTries,
    counts,
    ...(outage === undefined ? {} : { backAfter: backAfter(times.list, outage) }),
  };
}

type Timed = { readonly started: number; readonly took: number };

function summarize(times: readonly Timed[], seconds: number): Summary {
  const sorted = times.map(({ took }) => took).sort((a, b) => a - b);
  const mean = sorted.reduce((sum, one) => sum + one, 0) / sorted.length;
  const [p50, p99, most] = [0.5, 0.99, 1].map((share) => percentile(sorted, share)) as [number, number, number];
  return { perSecond: times.length / seconds, p50, p99, most, mean };
}

/** By the 99th percentile of the lists that began in each tenth of a second. */
function backAfter(lists: readonly Timed[], { from, seconds }: { from: number; seconds: number }): number {
  const slices = new Map<number, number[]>();
  for (const { started, took } of lists) {
    const slice = Math.floor(started / 100);
    const all = slices.get(slice);
    if (all === undefined) slices.set(slice, [took]);
    else all.push(took);
  }
  const slowest = (slice: number) =>
    percentile(
      (slices.get(slice) ?? []).sort((a, b) => a - b),
      0.99,
    );
  const before = [...slices.keys()].filter((slice) => slice < from * 10 - 1).map(slowest);
  const usual = percentile(
    before.sort((a, b) => a - b),
    0.5,
  );
  const end = Math.round((from + seconds) * 10);
  const late = [...slices.keys()].filter((slice) => slice >= end && slowest(slice) > 2 * usual);
  return late.length === 0 ? 0 : (Math.max(...late) + 1 - end) / 10;
}
