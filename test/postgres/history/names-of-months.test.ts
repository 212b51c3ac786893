import sql, { raw } from "sql-template-tag";
import { expect, test, vi } from "vitest";

test("Few statements of the histories get a name, and each month's are forgotten after later ones", async () => {
  // Other tests of the same process may have used them up.
  vi.resetModules();
  const { namedByText } = await import("../../../src/postgres/database/prepared.ts");
  const { namesOf } = await import("../../../src/postgres/history/recent-months.ts");
  const named = (first: bigint | undefined) =>
    Array.from({ length: 30 }, (_, n) => {
      const since = first === undefined ? undefined : ({ history: "events", first, latestBefore: 0n } as const);
      return namedByText(sql`select ${raw(`${n} -- ${first}`)}`, namesOf(since)).name;
    }).filter((name) => name !== undefined).length;
  expect(named(undefined)).toBe(12);
  expect([1n, 2n, 3n, 4n].map(named)).toEqual([6, 6, 6, 6]);
  const kept = (first: bigint) => namesOf({ history: "events", first, latestBefore: 0n }).known.size;
  expect([kept(1n), kept(5n)]).toEqual([6, 0]);
  expect([kept(1n), kept(2n)]).toEqual([6, 0]);
});
