import { median } from "../statistics.ts";

/** Requests a second, and microseconds of processor time for each. */
export type Measured = { readonly rate: number; readonly cost: number };

/** What a side got in each round, divided by what the first side got in that round; in order of size. */
export function ratios(rounds: readonly (readonly Measured[])[], side: number, key: keyof Measured): number[] {
  return rounds
    .map((round) => (round[side]?.[key] ?? Number.NaN) / (round[0]?.[key] ?? Number.NaN))
    .sort((a, b) => a - b);
}

/** The first side is the base, and the second one the base again. */
export function verdictOf(rounds: readonly (readonly Measured[])[], side: number): string {
  const keys = ["rate", "cost"] as const;
  if (keys.every((key) => Math.abs(median(ratios(rounds, side, key)) - 1) <= 0.03)) return "within 3%";
  const isWithinSpread = keys.every((key) => {
    const itself = ratios(rounds, 1, key);
    const middle = median(ratios(rounds, side, key));
    return middle >= (itself[0] ?? Number.NaN) && middle <= (itself.at(-1) ?? Number.NaN);
  });
  return isWithinSpread ? "within the spread of the base" : "**differs**";
}
