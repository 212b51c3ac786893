import type { Instant } from "./authorization.ts";
import { Refusal } from "./refusal.ts";

/** The outcome of an item: its date and whether anything changed, or why it is refused. */
export type Outcome = { readonly date: Instant; readonly changed: boolean } | Refusal;

/** An item on its way through the checks; or its date, if there is nothing to change; or why it is refused. */
export type Step<Item extends object> = Item | Instant | Refusal;

/** Continues with the items that are under way. If the work throws a refusal, that is the outcome of its item alone. */
export function proceed<Item extends object, Next extends object>(
  steps: readonly Step<Item>[],
  work: (item: Item) => Step<Next>,
): Step<Next>[] {
  return steps.map((step) => {
    if (hasEnded(step)) return step;
    try {
      return work(step);
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  });
}

export function underWay<Item extends object>(steps: readonly Step<Item>[]): Item[] {
  return steps.filter((step) => !hasEnded(step)) as Item[];
}

/** In an atomic batch, nothing after the first refusal is worth doing. */
export function stopIfAtomic<Item extends object>(
  steps: readonly Step<Item>[],
  atomic: boolean,
): readonly Step<Item>[] {
  const first = atomic ? steps.findIndex((step) => step instanceof Refusal) : -1;
  const refusal = steps[first];
  return refusal === undefined ? steps : steps.map((step, index) => (index < first ? step : refusal));
}

/** The outcome of each item, with the dates of those that were changed. */
export function outcomes(
  steps: readonly Step<{ readonly id: string }>[],
  dates: ReadonlyMap<string, Instant>,
): Outcome[] {
  return steps.map((step) => {
    if (step instanceof Refusal) return step;
    if (hasEnded(step)) return { date: step, changed: false };
    const date = dates.get(step.id);
    if (date === undefined) throw new Error("a locked authorization disappeared before it was changed");
    return { date, changed: true };
  });
}

/** Returns the date of the only item, or throws its refusal. */
export function requireOne([outcome]: readonly Outcome[]): Instant {
  if (outcome === undefined) throw new Error("the item has no outcome");
  if (outcome instanceof Refusal) throw outcome;
  return outcome.date;
}

function hasEnded<Item extends object>(step: Step<Item>): step is Instant | Refusal {
  return typeof step === "bigint" || step instanceof Refusal;
}
