import { Refusal } from "./refusal.ts";
import type { Outcome } from "./steps.ts";

/**
 * Works on items as if one came after the other, in few rounds: what names the same as an earlier item is left for
 * the next round, and items that name something else have nothing to do with each other. Resolves to what became of
 * each, in the order of the items. With atomic it throws the first refusal instead, with the index of its item.
 */
export async function inRounds<Item extends { readonly id: string }>(
  items: readonly Item[],
  atomic: boolean,
  work: (round: readonly Item[]) => Promise<readonly Outcome[]>,
): Promise<Outcome[]> {
  const results = new Map<number, Outcome>();
  for (const round of roundsOf(items)) {
    const before = atomic ? firstRefused(results, items.length) : items.length;
    const indexes = round.filter((index) => index < before);
    if (indexes.length === 0) break;
    const outcomes = await work(indexes.map((index) => items[index] as Item));
    for (const [at, outcome] of outcomes.entries()) results.set(indexes[at] as number, outcome);
  }
  return settled(
    items.map((_, index) => results.get(index) as Outcome),
    atomic,
  );
}

/** With atomic throws the first refusal, which says of which item it is. */
export function settled(outcomes: Outcome[], atomic: boolean): Outcome[] {
  const index = atomic ? outcomes.findIndex((outcome) => outcome instanceof Refusal) : -1;
  const refusal = outcomes[index];
  if (!(refusal instanceof Refusal)) return outcomes;
  throw new Refusal(refusal.reason, refusal.message, { ...refusal.metadata, index: String(index) });
}

/** The indexes of the items of each round. */
function roundsOf(items: readonly { readonly id: string }[]): number[][] {
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

function firstRefused(results: ReadonlyMap<number, Outcome>, otherwise: number): number {
  let first = otherwise;
  for (const [index, outcome] of results) if (outcome instanceof Refusal) first = Math.min(first, index);
  return first;
}
