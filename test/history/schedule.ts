import type { Random } from "./random.ts";

export const faultKinds = [
  "kill a server",
  "restart a server",
  "kill Postgres",
  "kill a backend",
  "restart Postgres",
  "pause Postgres",
  "cut connections",
  "too many connections",
  "read-only",
] as const;
/** Those of replicas, in a run with replicas. */
export const replicaFaultKinds = [
  "kill a replica",
  "pause a replica",
  "cut a replica off",
  "swallow a replica's connections",
  "pause replay",
  "let a replica fall behind",
  "promote a replica",
  "leave a replica on the old timeline",
] as const;
/**
 * Those before a fail-over. No wait for a standby is ended, because a commit that no standby confirmed may be seen, and
 * then lost: docs/how-to/fail-over.md.
 */
export const failOverFaultKinds = [
  "kill a server",
  "restart a server",
  "pause Postgres",
  "kill a replica",
  "pause a replica",
  "cut a replica off",
  "pause replay",
  "let a replica fall behind",
] as const;
/** Those of servers with several workers. */
export const workerFaultKinds = ["kill a worker"] as const;
export type FaultKind =
  | (typeof faultKinds)[number]
  | (typeof replicaFaultKinds)[number]
  | (typeof workerFaultKinds)[number];

/** What the seed decides of a fault. */
export type Fault = {
  readonly kind: FaultKind;
  /** Work goes on undisturbed so long before it. */
  readonly afterMs: number;
  /** For what has a duration. */
  readonly forMs: number;
  /** Which server, process or how many connections. */
  readonly which: number;
  /** The next one does not wait for this one's end. */
  readonly overlaps: boolean;
};

/** The same faults for the same seed, for ever. */
export function* schedule(
  random: Random,
  calmMs: number,
  kinds: readonly FaultKind[] = faultKinds,
): Generator<Fault, never> {
  for (;;) {
    yield {
      kind: random.pick(kinds),
      afterMs: random.between(calmMs / 4, calmMs * 1.75),
      forMs: random.between(150, 1_200),
      which: random.below(1_000),
      overlaps: random.chance(0.25),
    };
  }
}
