import type { Findings } from "./campaign.ts";

type Report = Findings & { readonly memory: readonly number[] };

/** What a run has seen, for people; the first line alone tells how far it is. */
export function summary(reports: readonly Report[], milliseconds: number): string[] {
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
    ...reports.map(
      ({ memory }) => `memory of a server in MiB, most in each tenth of the run: ${tenths(memory).join(" ")}`,
    ),
  ];
}

function tenths(values: readonly number[]): number[] {
  const size = Math.max(1, Math.ceil(values.length / 10));
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) => mostIn(values, index * size, size));
}

const mostIn = (values: readonly number[], from: number, size: number) => Math.max(...values.slice(from, from + size));

/** Stages before memory can be judged: what is compiled and kept for good comes in the first ones. */
const fewestStages = 80;
/** How much more a server may need in the last quarter of a run than in the second one, in MiB. */
const mostGrowth = 64;

/** Whether memory grew: a leak of a few hundred bytes an input shows in a run of a million. */
export function growth(memory: readonly number[]): string[] {
  if (memory.length < fewestStages) return [];
  const quarter = Math.floor(memory.length / 4);
  const [before, after] = [mostIn(memory, quarter, quarter), mostIn(memory, memory.length - quarter, quarter)];
  return after <= before + mostGrowth ? [] : [`memory grew from ${before} to ${after} MiB`];
}
