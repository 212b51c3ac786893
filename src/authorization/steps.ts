import type { Instant } from "./authorization.ts";
import { Refusal } from "./refusal.ts";

/** What becomes of an item of a change: its date, or why it is refused. */
export type Outcome = Instant | Refusal;

/** An item on its way through the checks, or what became of it. */
export type Step<Item extends object> = Item | Outcome;

/** Goes on with the items that are under way. What work throws as a refusal is the outcome of that item alone. */
export function proceed<Item extends object, Next extends object>(
  steps: readonly Step<Item>[],
  work: (item: Item) => Step<Next>,
): Step<Next>[] {
  return steps.map((step) => {
    if (isOutcome(step)) return step;
    try {
      return work(step);
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  });
}

export function underWay<Item extends object>(steps: readonly Step<Item>[]): Item[] {
  return steps.filter((step) => !isOutcome(step)) as Item[];
}

/** In a batch of which all is to be done or none, nothing behind the first refusal is worth doing. */
export function stopIfAtomic<Item extends object>(
  steps: readonly Step<Item>[],
  atomic: boolean,
): readonly Step<Item>[] {
  const first = atomic ? steps.findIndex((step) => step instanceof Refusal) : -1;
  const refusal = steps[first];
  return refusal === undefined ? steps : steps.map((step, index) => (index < first ? step : refusal));
}

/** What became of each item, by the dates of those that were done. */
export function outcomes(
  steps: readonly Step<{ readonly id: string }>[],
  dates: ReadonlyMap<string, Instant>,
): Outcome[] {
  return steps.map((step) => {
    const outcome = isOutcome(step) ? step : dates.get(step.id);
    if (outcome === undefined) throw new Error("a locked authorization was not there to change");
    return outcome;
  });
}

/** The date of the only item, or its refusal, thrown. */
export function requireOne([outcome]: readonly Outcome[]): Instant {
  if (typeof outcome === "bigint") return outcome;
  throw outcome ?? new Error("nothing became of the item");
}

function isOutcome<Item extends object>(step: Step<Item>): step is Outcome {
  return typeof step === "bigint" || step instanceof Refusal;
}
