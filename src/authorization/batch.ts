import { Refusal } from "./refusal.ts";
import type { Outcome } from "./steps.ts";

/** An item names an existing or a new authorization by its id. */
type Item = { readonly id: string };

/**
 * Works on items as if one came after the other, but in rounds. Resolves to the outcomes in the order of the items. With
 * atomic, it throws the first refusal instead, with the index of its item.
 */
export async function inRounds<Named extends Item>(
  rounds: readonly (readonly number[])[],
  items: readonly Named[],
  atomic: boolean,
  work: (round: readonly Named[]) => Promise<readonly Outcome[]>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const round of rounds) {
    const found = await work(round.map((index) => items[index] as Named));
    for (const [at, outcome] of found.entries()) outcomes[round[at] as number] = outcome;
  }
  const index = atomic ? outcomes.findIndex((outcome) => outcome instanceof Refusal) : -1;
  const refusal = outcomes[index];
  if (!(refusal instanceof Refusal)) return outcomes;
  const { reason, message, metadata } = refusal;
  const { id, changeDate, ...rest } = metadata;
  const named = changeDate === undefined ? id : items[index]?.id;
  const areChanges = outcomes.map((outcome) => !(outcome instanceof Refusal) && outcome.changed);
  const first = items.findIndex((item, at) => at < index && item.id === named && areChanges[at]);
  if (first < 0) throw new Refusal(reason, message, { ...metadata, index: String(index) });
  // The answer must not name the id or the date from the earlier item, which are rolled back with the batch.
  const conflict = `items[${index}] conflicts with items[${first}]: remove one of them`;
  throw new Refusal(reason, conflict, { ...rest, firstIndex: String(first), index: String(index) });
}

/**
 * The indexes of the items of each round. There are few rounds: an item that names the same authorization as an earlier
 * one waits for the next round; items that name different ones are independent.
 */
export function roundsOf(items: readonly Item[]): number[][] {
  const rounds: number[][] = [];
  const count = new Map<string, number>();
  for (const [index, { id }] of items.entries()) {
    const number = count.get(id) ?? 0;
    count.set(id, number + 1);
    rounds[number] ??= [];
    rounds[number].push(index);
  }
  return rounds;
}
