import type { Instant } from "../../authorization/authorization.ts";
import { toRfc3339 } from "../../authorization/instant.ts";

/**
 * Reads a timestamptz as Postgres prints it in UTC and ISO style, such as `2026-01-31 08:00:00.123456+00`. JavaScript
 * dates have only milliseconds, while Postgres stores microseconds.
 */
export function parseInstant(text: string): Instant {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/.exec(text);
  if (match === null) throw new Error(`not a timestamp of the years 1 to 9999 in UTC: ${text}`);
  const milliseconds = Date.parse(`${match[1]}T${match[2]}Z`);
  return BigInt(milliseconds) * 1000n + BigInt((match[3] ?? "").padEnd(6, "0"));
}

/** Writes an instant in a form that Postgres reads to the microsecond. */
export function formatInstant(instant: Instant): string {
  return toRfc3339(instant);
}
