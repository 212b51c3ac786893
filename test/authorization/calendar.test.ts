import { expect, test } from "vitest";
import { dayNumber, dayOf } from "../../src/authorization/calendar.ts";

test("The first and the last day of every month of the years 1 to 9999 are those of JavaScript's calendar", () => {
  const wrong: object[] = [];
  const at = new Date(0);
  at.setUTCFullYear(1, 0, 1);
  for (; at.getUTCFullYear() < 10_000; at.setUTCMonth(at.getUTCMonth() + 1)) {
    const first = at.getTime() / 86_400_000;
    for (const number of [first - 1, first]) {
      const day = new Date(number * 86_400_000);
      const wanted = { year: day.getUTCFullYear(), month: day.getUTCMonth() + 1, day: day.getUTCDate() };
      const found = dayOf(number);
      if (JSON.stringify(found) !== JSON.stringify(wanted) || dayNumber(wanted) !== number) wrong.push(wanted);
    }
  }
  expect(wrong).toEqual([]);
});
