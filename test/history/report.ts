import type { Findings } from "./experiment.ts";
import type { History, Outcome, Violation } from "./operation.ts";

export type Report = Findings & {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly checkedInMs: number;
};

/** How many violations of each kind are printed in full. */
const shownOfEach = 3;

export type Counts = { readonly acknowledged: number; readonly refused: number; readonly unknown: number };

export function countCalls(history: History): Counts {
  const outcomes = [...history.operations, ...history.lists, ...history.directory].map(({ outcome }) => outcome);
  const count = (...kinds: Outcome["kind"][]) => outcomes.filter(({ kind }) => kinds.includes(kind)).length;
  return {
    acknowledged: count("done", "shown", "listed", "applied"),
    refused: count("refused"),
    unknown: count("unknown", "nothing", "wrong"),
  };
}

export function report({ seed, history, watched, faults, violations, checkedInMs }: Report): string {
  const { acknowledged, refused, unknown } = countCalls(history);
  const reasons = new Map<string, number>();
  for (const { outcome } of [...history.operations, ...history.lists, ...history.directory]) {
    if (outcome.kind === "refused") add(reasons, outcome.reason);
    else if ("why" in outcome) add(reasons, `${outcome.kind}: ${outcome.why}`);
    else add(reasons, outcome.kind);
  }
  const breaks = new Map<string, number>();
  for (const [why, count] of watched.flatMap((one) => [...one.breaks])) breaks.set(why, (breaks.get(why) ?? 0) + count);
  const ends = history.events.filter(({ type }) => type === "user.grant.expired").length;
  const lines = [
    `seed ${seed}`,
    `operations: ${acknowledged} acknowledged, ${refused} refused, ${unknown} without a certain answer`,
    ...table(reasons),
    `events: ${history.events.length} (${ends} of ends), authorizations in the end: ${history.rows.length}`,
    `clocks at most ${history.clockSkew.toFixed(1)} ms apart`,
    `watchers: ${watched.length}, told of ${watched.reduce((sum, { told }) => sum + told.size, 0)} events; their streams ended:`,
    ...table(breaks),
    `faults: ${[...faults.values()].reduce((sum, number) => sum + number, 0)}`,
    ...table(faults),
    `checked in ${(checkedInMs / 1_000).toFixed(1)} s, ${Math.round(process.memoryUsage().rss / 1_048_576)} MiB`,
    `violations: ${violations.length}`,
    ...table(violations.reduce((kinds, violation) => add(kinds, kindOf(violation)), new Map<string, number>())),
    ...violations.filter(isAmongFirst(shownOfEach)).map(describeViolation),
  ];
  return `${lines.join("\n")}\n`;
}

export function describeViolation({ what, details }: Violation): string {
  return [`\n${what}`, ...details.map((line) => `  ${line}`)].join("\n");
}

function table(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => `  ${String(count).padStart(8)}  ${name}`);
}

function add(counts: Map<string, number>, name: string): Map<string, number> {
  return counts.set(name, (counts.get(name) ?? 0) + 1);
}

function kindOf({ what }: Violation): string {
  return what.replace(/:.*/, "").replaceAll(/\d+/g, "n");
}

function isAmongFirst(most: number): (violation: Violation) => boolean {
  const seen = new Map<string, number>();
  return (violation) => (add(seen, kindOf(violation)).get(kindOf(violation)) ?? 0) <= most;
}
