import type { Instant } from "./authorization.ts";

/** RFC 3339 in UTC with 0, 3 or 6 fractional digits, as the protobuf JSON mapping prints timestamps. */
export function toRfc3339(instant: Instant): string {
  const microseconds = modulo(instant, 1_000_000n);
  const whole = new Date(Number((instant - microseconds) / 1_000n))
    .toISOString()
    .slice(0, "2026-01-31T08:00:00".length);
  return `${whole}${fraction(Number(microseconds))}Z`;
}

/** Whether it is in the years 1 to 9999, like everything that is stored. */
export function isInstant(microseconds: bigint): boolean {
  return microseconds >= -62_135_596_800_000_000n && microseconds < 253_402_300_800_000_000n;
}

/** A remainder that is never negative, even for times before 1970. */
export function modulo(value: bigint, by: bigint): bigint {
  return ((value % by) + by) % by;
}

function fraction(microseconds: number): string {
  if (microseconds === 0) return "";
  const isWhole = microseconds % 1_000 === 0;
  return `.${String(isWhole ? 1_000 + microseconds / 1_000 : 1_000_000 + microseconds).slice(1)}`;
}
