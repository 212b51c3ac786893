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
export type FaultKind = (typeof faultKinds)[number];

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
export function* schedule(random: Random, calmMs: number): Generator<Fault, never> {
  for (;;) {
    yield {
      kind: random.pick(faultKinds),
      afterMs: random.between(calmMs / 4, calmMs * 1.75),
      forMs: random.between(150, 1_200),
      which: random.integer(1_000),
      overlaps: random.chance(0.25),
    };
  }
}
