import { Refusal } from "../authorization/refusal.ts";

/** How long a token is valid unless something else is asked for, in seconds. */
const defaultSeconds = 90 * 86_400;

/** Reads a duration such as `12h` or `30d`, in seconds. Undefined if it isn't one. */
export function secondsOf(text: string): number | undefined {
  const match = /^([1-9]\d{0,5})([smhd])$/.exec(text);
  if (match === null) return undefined;
  return Number(match[1]) * { s: 1, m: 60, h: 3_600, d: 86_400 }[match[2] as "s" | "m" | "h" | "d"];
}

/**
 * How long a token that a caller asks for is valid, in microseconds. Part of a microsecond counts as a whole one. Throws
 * LIFETIME_EXCEEDED.
 *
 * @param nanoseconds what is asked for; undefined for the default
 * @param maximumSeconds the longest lifetime that the API allows
 */
export function requireLifetime(nanoseconds: bigint | undefined, maximumSeconds: number): bigint {
  if (nanoseconds === undefined) return BigInt(Math.min(defaultSeconds, maximumSeconds)) * 1_000_000n;
  if (nanoseconds > BigInt(maximumSeconds) * 1_000_000_000n) {
    throw new Refusal("LIFETIME_EXCEEDED", `lifetime: must be at most ${maximumSeconds}s`, {
      maximum: `${maximumSeconds}s`,
    });
  }
  return (nanoseconds + 999n) / 1_000n;
}
