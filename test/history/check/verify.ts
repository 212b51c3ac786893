import type { Combination, History, Row, StoredEvent, Violation } from "../operation.ts";
import { fair } from "../world.ts";
import { authorizationModel, type Step } from "./authorization-model.ts";
import { describeDirectory, describeList, describeOperation, describeRow } from "./describe.ts";
import { checkLinearizable } from "./linearizable.ts";
import { checkList, erasOf } from "./lists.ts";
import { findMakers } from "./makers.ts";
import { replay } from "./replay.ts";

/** Everything that is wrong with a history; nothing, if it is proven. */
export function verify(history: History, combinations: readonly Combination[]): Violation[] {
  const makers = findMakers(history.operations, history.directory, history.events);
  const told = replay(history);
  const strange = unexpected(history, combinations);
  const unproven = notLinearizable(history, combinations, makers.eventOf);
  const eras = new Map(
    combinations.map((on) => [on.key, erasOf(on, told.versions.get(on.key) ?? [], makers.timesOf)] as const),
  );
  const contradicting = history.lists.flatMap((list) => checkList(list, eras, history.clockSkew));
  return [...strange, ...told.violations, ...makers.violations, ...unproven, ...contradicting];
}

/** Answers that are wrong whatever went before, and events of what nobody spoke of. */
function unexpected(history: History, combinations: readonly Combination[]): Violation[] {
  const known = new Set(combinations.map(({ key }) => key));
  const strangers = history.events.filter(({ key }) => !known.has(key));
  const wrong = [
    ...history.operations.filter(({ outcome }) => outcome.kind === "wrong").map(describeOperation),
    ...history.lists.filter(({ outcome }) => outcome.kind === "wrong").map(describeList),
    ...history.directory.filter(({ outcome }) => outcome.kind === "wrong").map(describeDirectory),
  ];
  return [
    ...wrong.map((line) => ({ what: "an answer the service must not give", details: [line] })),
    ...strangers.map((event) => ({ what: "an event of a combination nobody spoke of", details: [event.key] })),
  ];
}

/** How often the search may try a next call, for each call there is; a history that holds needs one or two. */
const triesForEach = 50;

function notLinearizable(
  history: History,
  combinations: readonly Combination[],
  eventOf: ReadonlyMap<unknown, StoredEvent>,
): Violation[] {
  const operations = Map.groupBy(history.operations, ({ on }) => on.key);
  const eventsOf = Map.groupBy(history.events, ({ key }) => key);
  const rows = new Map(history.rows.map((row) => [row.key, row]));
  const changes = history.directory.filter(({ outcome }) => outcome.kind !== "nothing" && outcome.kind !== "wrong");
  const violations: Violation[] = [];
  for (const on of combinations) {
    const steps: Step[] = [];
    const events = eventsOf.get(on.key) ?? [];
    for (const operation of operations.get(on.key) ?? []) {
      const { start, end, outcome } = operation;
      const made = eventOf.get(operation);
      if (outcome.kind === "nothing" || outcome.kind === "wrong") continue;
      // What nobody was answered and no event tells of did not happen.
      if (outcome.kind === "unknown" && made === undefined) continue;
      steps.push({ kind: "operation", start, end, operation, made });
    }
    if (on.projectId === fair) {
      for (const call of changes) steps.push({ kind: "directory", start: call.start, end: call.end, call });
    }
    const last = steps.reduce((latest, { start, end }) => Math.max(latest, Number.isFinite(end) ? end : start), 0);
    steps.push({ kind: "end", start: last + 1, end: last + 2, row: rows.get(on.key) });
    const verdict = checkLinearizable(
      authorizationModel(on, events, history.clockSkew),
      steps,
      1_000 + steps.length * triesForEach,
    );
    if (verdict.kind === "linearizable") continue;
    const what = verdict.kind === "impossible" ? "no order explains the answers" : "too hard to prove";
    violations.push({ what: `${what}: ${on.key}`, details: explain(verdict, steps) });
  }
  return violations;
}

function explain(
  { placed, state, stuck }: { placed: number; state: { present: Row | undefined }; stuck: Step[] },
  steps: readonly Step[],
): string[] {
  return [
    `after ${placed} of ${steps.length} calls there was ${describeRow(state.present)}, and none of these could come next:`,
    ...stuck.slice(0, 12).map(describeStep),
  ];
}

function describeStep(step: Step): string {
  if (step.kind === "operation") return describeOperation(step.operation);
  if (step.kind === "directory") return describeDirectory(step.call);
  return `stored in the end: ${describeRow(step.row)}`;
}
