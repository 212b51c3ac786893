import fc from "fast-check";
import { expect, test } from "vitest";
import { SequenceGaps } from "../../../src/postgres/history/sequence-gaps.ts";

type Running = { readonly id: bigint; readonly sequences: bigint[] };

/** What a database does: transactions begin, take sequences in turns, and commit or roll back in any order. */
class Transactions {
  #running: Running[] = [];
  #nextId = 1n;
  #next = 1n;
  #highestEnded = 0n;
  readonly committed = new Set<bigint>();

  step(what: number, which: number): void {
    const one = this.#running[which % Math.max(this.#running.length, 1)];
    if (what < 2 || one === undefined) {
      this.#running.push({ id: this.#nextId, sequences: [] });
      this.#nextId += 1n;
    } else if (what < 6) {
      one.sequences.push(this.#next);
      this.#next += 1n;
    } else {
      this.#running = this.#running.filter((other) => other !== one);
      if (one.id > this.#highestEnded) this.#highestEnded = one.id;
      if (what < 9) for (const sequence of one.sequences) this.committed.add(sequence);
    }
  }

  /** As in a snapshot of Postgres: behind the last transaction that has ended, it doesn't look. */
  get xmin() {
    const ids = this.#running.map(({ id }) => id);
    return [...ids, this.#highestEnded + 1n].reduce((least, id) => (id < least ? id : least));
  }

  takeId(): bigint {
    this.#highestEnded = this.#nextId;
    this.#nextId += 1n;
    return this.#highestEnded;
  }

  end(): void {
    while (this.#running.length > 0) this.step(6, 0);
  }
}

test("Every committed sequence is read once, in whatever order transactions commit, however few are read at once", () => {
  const steps = fc.array(fc.tuple(fc.nat(9), fc.nat(50), fc.nat(3)), { maxLength: 200, size: "max" });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 4 }), fc.nat(60), (given, atOnce, start) => {
      const database = new Transactions();
      const read: bigint[] = [];
      const gaps = new SequenceGaps(0n, []);
      const look = () => {
        const { after, first, last } = gaps.missing;
        const isMissing = (sequence: bigint) =>
          sequence > after || first.some((from, index) => sequence >= from && sequence <= (last[index] ?? 0n));
        const visible = [...database.committed].filter(isMissing).sort((one, other) => Number(one - other));
        const seen = visible.slice(0, atOnce);
        read.push(...seen);
        gaps.take(seen, seen.length < atOnce, database.xmin);
        if (gaps.areUnbounded) gaps.bound(database.takeId());
        return seen.length < atOnce;
      };
      for (const [index, [what, which, looks]] of given.entries()) {
        database.step(what, which);
        if (index >= start && looks === 0) look();
      }
      database.end();
      while (!look());
      expect(read.length).toBe(new Set(read).size);
      expect(new Set(read)).toEqual(database.committed);
      // Nothing runs any more, so nothing is missing.
      look();
      expect(gaps.missing.first).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
