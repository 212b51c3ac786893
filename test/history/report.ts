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
  const outcomes = [...history.operations, ...history.lists, ...history.directory].map(({ outcome }) => outcome);
  const reasons = outcomes.map((outcome) => {
    if (outcome.kind === "refused") return outcome.reason;
    return "why" in outcome ? `${outcome.kind}: ${outcome.why}` : outcome.kind;
  });
  const breaks = watched.flatMap((one) => one.breaks);
  const kinds = Map.groupBy(violations, ({ what }) => what.replace(/:.*/, "").replaceAll(/\d+/g, "n"));
  const ends = history.events.filter(({ type }) => type === "user.grant.expired").length;
  const lines = [
    `seed ${seed}`,
    `operations: ${acknowledged} acknowledged, ${refused} refused, ${unknown} without a certain answer`,
    ...table(reasons),
    `events: ${history.events.length} (${ends} of ends), authorizations in the end: ${history.rows.length}`,
    `clocks at most ${history.clockSkew.toFixed(1)} ms apart`,
    `watchers: ${watched.length}, told of ${watched.reduce((sum, { told }) => sum + told.size, 0)} events; their streams ended:`,
    ...table(breaks),
    `faults: ${faults.length}`,
    ...table(faults),
    `checked in ${(checkedInMs / 1_000).toFixed(1)} s, ${Math.round(process.memoryUsage().rss / 1_048_576)} MiB`,
    `violations: ${violations.length}`,
    ...table([...kinds].flatMap(([kind, { length }]) => Array<string>(length).fill(kind))),
    ...[...kinds.values()].flatMap((some) => some.slice(0, shownOfEach).map(describeViolation)),
  ];
  return `${lines.join("\n")}\n`;
}

export function describeViolation({ what, details }: Violation): string {
  return [`\n${what}`, ...details.map((line) => `  ${line}`)].join("\n");
}

/** How often each comes, the most frequent first. */
function table(names: readonly string[]): string[] {
  return [...Map.groupBy(names, (name) => name)]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([name, { length }]) => `  ${String(length).padStart(8)}  ${name}`);
}
