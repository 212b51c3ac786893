import type { Instant } from "../../authorization/authorization.ts";

/**
 * Reads a timestamptz as Postgres prints it in UTC and ISO style, such as `2026-01-31 08:00:00.123456+00`. JavaScript
 * dates have only milliseconds, while Postgres stores microseconds.
 */
export function parseInstant(text: string): Instant {
  if (!printed.test(text)) throw new Error(`not a timestamp of the years 1 to 9999 in UTC: ${text}`);
  const two = (at: number) => digits(text, at, at + 2);
  // The calendar repeats after 400 years, and JavaScript takes the years before 100 for others.
  const milliseconds = Date.UTC(digits(text, 0, 4) + 400, two(5) - 1, two(8), two(11), two(14), two(17));
  const seconds = milliseconds / 1_000 - secondsOf400Years;
  const places = text.length - "2026-01-31 08:00:00.+00".length;
  const microseconds = places > 0 ? digits(text, 20, 20 + places) * 10 ** (6 - places) : 0;
  const instant = seconds * 1_000_000 + microseconds;
  // After the year 2255 that is too large for a number.
  return Number.isSafeInteger(instant) ? BigInt(instant) : BigInt(seconds) * 1_000_000n + BigInt(microseconds);
}

const secondsOf400Years = 146_097 * 86_400;

const printed = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/;

function digits(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at += 1) number = number * 10 + text.charCodeAt(at) - 48;
  return number;
}
