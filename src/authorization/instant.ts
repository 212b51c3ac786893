import type { Instant } from "./authorization.ts";

/** RFC 3339 in UTC with 0, 3 or 6 fractional digits, as the protobuf JSON mapping prints timestamps. */
export function toRfc3339(instant: Instant): string {
  const fractionalSecondDigits = instant % 1_000_000n === 0n ? 0 : instant % 1_000n === 0n ? 3 : 6;
  return Temporal.Instant.fromEpochNanoseconds(instant * 1_000n).toString({ fractionalSecondDigits });
}

/** Whether it is in the years 1 to 9999, like everything that is stored. */
export function isInstant(microseconds: bigint): boolean {
  return microseconds >= -62_135_596_800_000_000n && microseconds < 253_402_300_800_000_000n;
}

/** A remainder that is never negative, even for times before 1970. */
export function modulo(value: bigint, by: bigint): bigint {
  return ((value % by) + by) % by;
}
