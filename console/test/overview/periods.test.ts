import { expect, it } from "vitest";
import { timelineOf } from "../../src/overview/periods.ts";

const day = (moment: number) => new Date(moment).toISOString().slice(0, 10);
const told = (days: { day: string; count: number }[], most: number) => {
  return timelineOf(days, most).map(({ from, to, count }) => `${day(from)} ${day(to)} ${count}`);
};

it("days on which nothing was created are zero and not missing", () => {
  const days = [
    { day: "2024-03-01", count: 2 },
    { day: "2024-02-28", count: 5 },
  ];
  expect(told(days, 10)).toEqual(["2024-02-28 2024-02-29 5", "2024-02-29 2024-03-01 0", "2024-03-01 2024-03-02 2"]);
});

it("what is too long for days is grouped to weeks from Monday on, and the first one begins with the oldest day", () => {
  // The 7th of January 2026 was a Wednesday.
  const days = [
    { day: "2026-01-19", count: 1 },
    { day: "2026-01-18", count: 2 },
    { day: "2026-01-12", count: 3 },
    { day: "2026-01-07", count: 4 },
  ];
  expect(told(days, 12)).toEqual(["2026-01-07 2026-01-12 4", "2026-01-12 2026-01-19 5", "2026-01-19 2026-01-26 1"]);
});

it("what is too long for weeks is grouped to months", () => {
  const days = [
    { day: "2025-02-28", count: 1 },
    { day: "2024-12-31", count: 2 },
  ];
  expect(told(days, 4)).toEqual(["2024-12-31 2025-01-01 2", "2025-01-01 2025-02-01 0", "2025-02-01 2025-03-01 1"]);
});

it.each([
  ["day", "2026-01-04", "2026-01-02"],
  ["week", "2026-01-05", "2026-01-05"],
  ["month", "2026-03-31", "2026-02-01"],
  ["year", "2029-12-31", "2027-01-01"],
])("the finest unit that fits is the %s up to %s", (_unit, newest, second) => {
  const timeline = timelineOf(
    [
      { day: newest, count: 1 },
      { day: "2026-01-01", count: 1 },
    ],
    4,
  );
  expect(timeline[1] && day(timeline[1].from)).toBe(second);
  expect(timeline.length).toBeLessThanOrEqual(4);
});

it("nothing is counted twice or left out, and periods meet, whatever the days", () => {
  const days = Array.from({ length: 366 }, (_, index) => ({
    day: day(Date.UTC(1850, 0, 1) + (366 - index) * 200 * 86_400_000),
    count: index + 1,
  }));
  for (const most of [12, 13, 40, 62, 366]) {
    const periods = timelineOf(days, most);
    expect(periods.reduce((sum, { count }) => sum + count, 0)).toBe((366 * 367) / 2);
    expect(periods.slice(1).map(({ from }) => from)).toEqual(periods.slice(0, -1).map(({ to }) => to));
  }
});

it("what is too long for any unit is years, however many", () => {
  const days = [
    { day: "9999-12-31", count: 1 },
    { day: "0001-01-01", count: 1 },
  ];
  expect(timelineOf(days, 120)).toHaveLength(9_999);
});

it("no days are no periods", () => {
  expect(timelineOf([], 62)).toEqual([]);
});
