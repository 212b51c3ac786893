import type { Instant } from "./authorization.ts";

/** RFC 3339 in UTC with 0, 3 or 6 fractional digits, as the protobuf JSON mapping prints timestamps. */
export function toRfc3339(instant: Instant): string {
  const microseconds = modulo(instant, 1_000n);
  const milliseconds = new Date(Number((instant - microseconds) / 1_000n)).toISOString();
  if (microseconds === 0n) return milliseconds.replace(".000Z", "Z");
  return milliseconds.replace("Z", `${String(microseconds).padStart(3, "0")}Z`);
}

/** Whether it is in the years 1 to 9999, like everything that is stored. */
export function isInstant(microseconds: bigint): boolean {
  return microseconds >= -62_135_596_800_000_000n && microseconds < 253_402_300_800_000_000n;
}

/** A remainder that is never negative, even for times before 1970. */
export function modulo(value: bigint, by: bigint): bigint {
  return ((value % by) + by) % by;
}
