import { table } from "../report.ts";
import { percentile } from "../statistics.ts";

/** What honest callers noticed, and what became of the server. */
export type Measured = {
  readonly sent: number;
  /** How long the answers with 200 took, in milliseconds. */
  readonly answered: readonly number[];
  readonly peakMiB: number;
  /** Seconds after the beginning of the attack. Undefined: it did not crash. */
  readonly crashedAfter: number | undefined;
};

const goal = { answered: 0.99, timesIdle: 5, peakMiB: 400 } as const;

const header = [
  "Attack",
  "Honest requests answered",
  "p99 idle → attacked",
  "Peak memory",
  "Crashed",
  "Goal reached",
  "Run",
];

export type Verdict = { readonly cells: readonly string[]; readonly isReached: boolean };

export function p99(milliseconds: readonly number[]): number {
  return percentile(
    milliseconds.toSorted((a, b) => a - b),
    0.99,
  );
}

/** Whether a siege reached every goal, and its row of the table without the first and the last cell. */
export function judge(idle: Measured, { sent, answered, peakMiB, crashedAfter }: Measured): Verdict {
  const share = answered.length / sent;
  const times = p99(answered) / p99(idle.answered);
  const isReached =
    crashedAfter === undefined &&
    peakMiB < goal.peakMiB &&
    share >= goal.answered &&
    // Not so without any answer: there is no p99 then.
    times <= goal.timesIdle;
  return {
    isReached,
    cells: [
      `${(Math.floor(share * 1_000) / 10).toFixed(1)}%`,
      Number.isNaN(times)
        ? "–"
        : `${p99(idle.answered).toFixed(0)} → ${p99(answered).toFixed(0)} ms (× ${times.toFixed(1)})`,
      `${peakMiB.toFixed(0)} MiB`,
      crashedAfter === undefined ? "no" : `after ${crashedAfter.toFixed(0)} s`,
      isReached ? "yes" : "**no**",
    ],
  };
}

/** What was attacked with, the cells of the verdict, and what run it was. */
export type Row = readonly string[];

/** A table of earlier rows, as they stand in this text, and new ones. A new row replaces the one of the same attack. */
export function withRows(earlier: string, rows: readonly Row[]): string {
  const lines = earlier.split("\n").filter((line) => line.startsWith("| "));
  const kept = lines.slice(2).map((line) => line.slice(2, -2).split(" | "));
  const all = new Map([...kept, ...rows].map((row) => [row[0], row]));
  return table(header, [...all.values()]);
}
