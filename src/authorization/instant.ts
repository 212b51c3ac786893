import type { Instant } from "./authorization.ts";
import { dayOf } from "./calendar.ts";

/** RFC 3339 in UTC with 0, 3 or 6 fractional digits, as the protobuf JSON mapping prints timestamps. */
export function toRfc3339(instant: Instant): string {
  return rfc3339(...inSeconds(instant));
}

export function rfc3339(seconds: number, microseconds: number): string {
  const days = Math.floor(seconds / 86_400);
  const time = seconds - days * 86_400;
  const { year, month, day } = dayOf(days);
  const date = `${two[Math.floor(year / 100)]}${two[year % 100]}-${two[month]}-${two[day]}`;
  const [hours, minutes] = [Math.floor(time / 3_600), Math.floor(time / 60) % 60];
  return `${date}T${two[hours]}:${two[minutes]}:${two[time % 60]}${fraction(microseconds)}Z`;
}

/** Whether it is in the years 1 to 9999, like everything that is stored. */
export function isInstant(microseconds: bigint): boolean {
  return microseconds >= -62_135_596_800_000_000n && microseconds < 253_402_300_800_000_000n;
}

/** A remainder that is never negative, even for times before 1970. */
export function modulo(value: bigint, by: bigint): bigint {
  return ((value % by) + by) % by;
}

function inSeconds(instant: Instant): [seconds: number, microseconds: number] {
  const number = Number(instant);
  if (Number.isSafeInteger(number)) {
    const seconds = Math.floor(number / 1_000_000);
    return [seconds, number - seconds * 1_000_000];
  }
  const microseconds = modulo(instant, 1_000_000n);
  return [Number((instant - microseconds) / 1_000_000n), Number(microseconds)];
}

function fraction(microseconds: number): string {
  if (microseconds === 0) return "";
  const isWhole = microseconds % 1_000 === 0;
  return `.${String(isWhole ? 1_000 + microseconds / 1_000 : 1_000_000 + microseconds).slice(1)}`;
}

/** Numbers with two digits. */
const two = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, "0"));
