import { expect, it } from "vitest";
import { agoText } from "../../src/parts/moment.tsx";

const minute = 60_000;
const day = 1_440 * minute;

it.each([
  [-20_000, "now"],
  [-5 * minute, "5 min"],
  [-59.9 * minute, "1 h"],
  [-60 * minute, "1 h"],
  [-day, "yesterday"],
  [-29.9 * day, "30 days"],
  [-30 * day, "30 days"],
  [-31 * day, /last mo|1 mo/],
  [-340 * day, "11 mo"],
  [-366 * day, /last yr|1 yr|last year/],
  [3 * day, "in 3 days"],
  [30 * day - minute, "in 30 days"],
])("%d ms from now is rounded to the largest unit that it fills", (ms, text) => {
  expect(agoText(ms)).toMatch(text);
});
