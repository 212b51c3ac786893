import type { Instant } from "./authorization.ts";
import type { Caller } from "./permissions.ts";
import { Refusal } from "./refusal.ts";
import type { AuthorizationChange, Dates } from "./store.ts";

/**
 * Decides the outcome of each item, and makes the changes. With atomic, nothing is done if one is refused, unless it is
 * rolled back anyway.
 */
export type Rule<Item> = (
  change: AuthorizationChange,
  caller: Caller,
  items: readonly Item[],
  atomic?: boolean,
) => Promise<Outcome[]>;

/** The outcome of an item: its date and whether anything changed, or why it is refused. */
export type Outcome = { readonly date: Instant; readonly changed: boolean } | Refusal;

/** What to change; or the date of an item, if there is nothing to change; or why it is refused. */
export type Step<Item extends object> = Item | Instant | Refusal;

/** Judges each item. If that throws a refusal, it is the outcome of the item alone. */
export function judge<Item, Next extends object>(
  items: readonly Item[],
  work: (item: Item) => Step<Next>,
): Step<Next>[] {
  return items.map((item) => {
    try {
      return work(item);
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  });
}

/**
 * Makes the changes, and returns the outcome of each item. In a refused atomic batch, they are made only
 * if a later round can depend on them, because that is rolled back.
 */
export async function carryOut<Item extends { readonly id: string }>(
  { isOpen }: AuthorizationChange,
  steps: readonly Step<Item>[],
  atomic: boolean,
  make: (items: Item[]) => Promise<Dates>,
): Promise<Outcome[]> {
  const isVain = atomic && !isOpen && steps.some((step) => step instanceof Refusal);
  const dates = isVain ? undefined : await make(steps.filter(isChange));
  return steps.map((step) => {
    if (step instanceof Refusal) return step;
    if (!isChange(step)) return { date: step, changed: false };
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

function isChange<Item extends object>(step: Step<Item>): step is Item {
  return typeof step !== "bigint" && !(step instanceof Refusal);
}
