/** Sequences that are not seen yet, from the first to the last one. */
type Gap = {
  readonly first: bigint;
  readonly last: bigint;
  /** Each of its transactions has a lower id than this. Undefined until that is asked. */
  readonly until?: bigint;
};

/**
 * Which events a reader has seen. Changes take their sequences before they commit, so a lower one may become visible
 * after a higher one. What is missing below the highest one that was seen is a gap. It is closed once all transactions
 * that were running when it was found have ended, because then no one can fill it any more. Every change writes other
 * rows before its events, so its transaction has an id before it takes a sequence. A snapshot doesn't tell how high these
 * ids are: a transaction that is running may have the id that it gives as the next one. A new id does, taken afterwards.
 */
export class SequenceGaps {
  #highest: bigint;
  #gaps: Gap[];

  constructor(highest: bigint, gaps: readonly Gap[]) {
    this.#highest = highest;
    this.#gaps = [...gaps];
  }

  /** The highest sequence that was seen, and the ranges below it that are still missing. */
  get missing(): { readonly after: bigint; readonly first: readonly bigint[]; readonly last: readonly bigint[] } {
    const first = this.#gaps.map((gap) => gap.first);
    return { after: this.#highest, first, last: this.#gaps.map(({ last }) => last) };
  }

  /** Whether gaps were found since the last call of `bound`. */
  get areUnbounded(): boolean {
    return this.#gaps.some(({ until }) => until === undefined);
  }

  /** @param next an id that a transaction got after all gaps were found */
  bound(next: bigint): void {
    this.#gaps = this.#gaps.map((gap) => ({ ...gap, until: gap.until ?? next }));
  }

  /**
   * Accounts for what was read of the missing sequences.
   *
   * @param seen in ascending order
   * @param isAll whether no other missing one was visible at that moment; if false, none up to the last one seen was
   * @param xmin all transactions with a lower id had ended at that moment
   */
  take(seen: readonly bigint[], isAll: boolean, xmin: bigint): void {
    const readTo = isAll ? undefined : (seen.at(-1) ?? 0n);
    this.#gaps = this.#gaps
      .flatMap((gap) => without(gap, seen))
      .filter(({ last, until }) => until === undefined || until > xmin || (readTo !== undefined && last > readTo));
    for (const sequence of seen) {
      if (sequence <= this.#highest) continue;
      const first = this.#highest + 1n;
      if (sequence > first) this.#gaps.push({ first, last: sequence - 1n });
      this.#highest = sequence;
    }
  }
}

/** What is left of a gap without some sequences, which are in ascending order. */
function without(gap: Gap, seen: readonly bigint[]): Gap[] {
  const left: Gap[] = [];
  let first = gap.first;
  for (const sequence of seen) {
    if (sequence < first) continue;
    if (sequence > gap.last) break;
    if (sequence > first) left.push({ ...gap, first, last: sequence - 1n });
    first = sequence + 1n;
  }
  return first > gap.last ? left : [...left, { ...gap, first }];
}
