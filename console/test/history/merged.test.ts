import fc from "fast-check";
import { expect, it } from "vitest";
import { type Entry, isBehind, type Position, positionOf, readPosition, written } from "../../src/history/entry.ts";
import { merged } from "../../src/history/readers.ts";
import { firstLines } from "../../src/history/use-history.ts";
import { assigned, at, directed, readerOfAll } from "./events.ts";

/** Few moments and few requests, so there are many ties. */
const moment = fc.record({ time: fc.integer({ min: 0, max: 4 }), request: fc.integer({ min: 0, max: 3 }) });
const moments = fc.array(moment, { maxLength: 40 });

type Moment = { readonly time: number; readonly request: number };

function entriesOf(assignments: readonly Moment[], directory: readonly Moment[], firstSequence = 1): Entry[] {
  const told = ({ time, request }: Moment) => ({ time: at(1, time), requestId: `r${request}` });
  return [
    ...assignments.map((one, index) => assigned(firstSequence + index, told(one))),
    ...directory.map((one, index) => directed(firstSequence + index, told(one))),
  ];
}

const nameOf = (entry: Entry) => written(positionOf(entry));
const inOrder = (entries: readonly Entry[]) =>
  entries.toSorted((one, other) => (isBehind(positionOf(one), positionOf(other)) ? 1 : -1));

function readersOf(entries: readonly Entry[], chunk: number, behind?: Position) {
  return (["assignment", "directory"] as const).map((of) =>
    readerOfAll(
      entries.filter((entry) => positionOf(entry).of === of),
      chunk,
      behind,
    ),
  );
}

it("merges both histories in the order of time, whatever the chunks", async () => {
  await fc.assert(
    fc.asyncProperty(moments, moments, fc.integer({ min: 1, max: 7 }), async (assignments, directory, chunk) => {
      const entries = entriesOf(assignments, directory);
      const read: Entry[] = [];
      for await (const entry of merged(readersOf(entries, chunk))) read.push(entry);
      expect(read.map(nameOf)).toEqual(inOrder(entries).map(nameOf));
    }),
  );
});

it("pages lose nothing and repeat nothing, even if there are new events meanwhile", async () => {
  const sizes = fc.record({ lines: fc.integer({ min: 1, max: 5 }), events: fc.integer({ min: 1, max: 9 }) });
  await fc.assert(
    fc.asyncProperty(moments, moments, moments, sizes, async (assignments, directory, later, size) => {
      const entries = entriesOf(assignments, directory);
      // Later than the first page, and between its moments.
      const newer = entriesOf(
        later.map((one) => ({ ...one, time: one.time + 10 })),
        [],
        1_000,
      );
      const read: Entry[] = [];
      let all = entries;
      let behind: Position | undefined;
      do {
        const page = await firstLines(readersOf(all, 3, behind), size);
        const events = page.lines.flatMap((line) => line.entries);
        expect(page.events).toBe(events.length);
        expect(page.total).toBe(entries.length - read.length);
        read.push(...events);
        // As an address keeps it.
        behind = page.next && readPosition(written(page.next));
        all = [...entries, ...newer];
      } while (behind !== undefined);
      expect(read.map(nameOf).sort()).toEqual(entries.map(nameOf).sort());
    }),
  );
});

it("is one line for one request, in the order of the newest event", async () => {
  const batch = { requestId: "batch" };
  const entries: Entry[] = [
    assigned(1, { time: at(1, 9), requestId: "other" }),
    assigned(2, { time: at(1, 8), ...batch }),
    assigned(3, { time: at(1, 7), requestId: "between" }),
    directed(4, { time: at(1, 6), ...batch }),
  ];
  const { lines, next } = await firstLines(readersOf(entries, 10));
  expect(lines.map((line) => line.entries.map(({ sequence }) => Number(sequence)))).toEqual([[1], [2, 4], [3]]);
  expect(next).toBeUndefined();
});

it("a page that is full continues until its requests are complete", async () => {
  const entries = [1, 2, 3, 4, 5].map((sequence) =>
    assigned(sequence, { time: at(1, sequence), requestId: sequence > 2 ? "batch" : `one ${sequence}` }),
  );
  const { lines, next } = await firstLines(readersOf(entries, 1), { lines: 1, events: 10 });
  expect(lines.map((line) => line.entries.length)).toEqual([3]);
  expect(lines[0]?.isCut).toBe(false);
  expect(next?.sequence).toBe(3n);
});

it("a request that changed too much for one page says that the next page continues it", async () => {
  const entries = [1, 2, 3].map((sequence) => assigned(sequence, { time: at(1), requestId: "import" }));
  const { lines, next } = await firstLines(readersOf(entries, 2), { lines: 5, events: 2 });
  expect(lines.map(({ isCut, entries: some }) => [some.length, isCut])).toEqual([[2, true]]);
  const rest = await firstLines(readersOf(entries, 2, next), { lines: 5, events: 2 });
  expect(rest.lines.map(({ isCut, entries: some }) => [some.length, isCut])).toEqual([[1, false]]);
});

it("assignments that an import gave dates of their own are lines of their own", async () => {
  const entries = [1, 2].map((day) => assigned(day, { time: at(day), requestId: "import" }));
  const { lines } = await firstLines(readersOf(entries, 10));
  expect(lines).toHaveLength(2);
});

it("reads no more than it shows", async () => {
  const entries = Array.from({ length: 50 }, (_, index) => assigned(index + 1));
  const readers = readersOf(entries, 10);
  const { total } = await firstLines(readers, { lines: 12, events: 100 });
  expect(readers[0]?.asked).toEqual(["", "10"]);
  expect(total).toBe(50);
});

it.each(["", "token", "12", "12x3", "12a", "a3", "1e3a4"])("%j is no position", (text) => {
  expect(readPosition(text)).toBeUndefined();
});
