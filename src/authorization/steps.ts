import type { Instant } from "./authorization.ts";
import { Refusal } from "./refusal.ts";
import type { AuthorizationChange, Dates } from "./store.ts";

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

function underWay<Item extends object>(steps: readonly Step<Item>[]): Item[] {
  return steps.filter((step) => !hasEnded(step)) as Item[];
}

/** In an atomic batch, nothing after the first refusal is worth doing. */
function stopIfAtomic<Item extends object>(steps: readonly Step<Item>[], atomic: boolean): readonly Step<Item>[] {
  const first = atomic ? steps.findIndex((step) => step instanceof Refusal) : -1;
  const refusal = steps[first];
  return refusal === undefined ? steps : steps.map((step, index) => (index < first ? step : refusal));
}

/**
 * Makes the changes that are under way, and returns the outcome of each item. In a refused atomic batch, they are made only
 * if a later round can depend on them, because that is rolled back.
 */
export async function carryOut<Item extends { readonly id: string }>(
  { isOpen }: AuthorizationChange,
  judged: readonly Step<Item>[],
  atomic: boolean,
  make: (items: Item[]) => Promise<Dates>,
): Promise<Outcome[]> {
  const steps = stopIfAtomic(judged, atomic);
  const isVain = atomic && !isOpen && steps.some((step) => step instanceof Refusal);
  const dates = isVain ? undefined : await make(underWay(steps));
  return steps.map((step) => {
    if (step instanceof Refusal) return step;
    if (hasEnded(step)) return { date: step, changed: false };
    // No one is shown the date of a change that isn't made.
    const date = isVain ? 0n : dates?.get(step.id);
    if (date === undefined) throw new Error("a change was made without a date");
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
