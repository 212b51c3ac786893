import type { Findings } from "./campaign.ts";

/** What a run has seen, for people; the first line alone tells how far it is. */
export function summary(reports: readonly Findings[], milliseconds: number): string[] {
  const inputs = reports.reduce((sum, report) => sum + report.inputs, 0);
  const problems = reports.reduce((sum, report) => sum + report.problems.length, 0);
  const seconds = milliseconds / 1_000;
  const added = (name: "statuses" | "codes" | "kinds") => {
    const sums = new Map<string, number>();
    for (const report of reports) {
      for (const [key, count] of Object.entries(report[name])) sums.set(key, (sums.get(key) ?? 0) + count);
    }
    return [...sums]
      .sort(([, one], [, other]) => other - one)
      .map(([key, count]) => `${key} ${count}`)
      .join(", ");
  };
  return [
    `${inputs} inputs, ${seconds.toFixed(0)} s, ${(inputs / seconds).toFixed(0)} inputs/s, ${problems} problems`,
    `statuses: ${added("statuses")}`,
    `codes: ${added("codes")}`,
    `kinds: ${added("kinds")}`,
  ];
}

/** Stages before memory can be judged: what is compiled and kept for good comes in the first ones. */
const fewestStages = 80;
/** How much more a server may keep in the last quarter of a run than in the second one, in MiB. */
const mostGrowth = 64;

/**
 * Whether memory grew. What a server needs for a moment goes up and down with the bodies that come; what it keeps is the
 * least it has at any moment. A leak of 150 bytes an input shows in a run of a million.
 */
export function growth(memory: readonly number[]): string[] {
  if (memory.length < fewestStages) return [];
  const quarter = Math.floor(memory.length / 4);
  const before = Math.min(...memory.slice(quarter, 2 * quarter));
  const after = Math.min(...memory.slice(-quarter));
  return after <= before + mostGrowth ? [] : [`memory grew from ${before} to ${after} MiB`];
}
