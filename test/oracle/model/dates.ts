/** RFC 3339 with 0, 3 or 6 fractional digits, as the protobuf mapping prints timestamps. */
export function printDate(microseconds: bigint): string {
  const fraction = ((microseconds % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = new Date(Number((microseconds - fraction) / 1_000n)).toISOString().slice(0, 19);
  const digits = String(fraction).padStart(6, "0");
  if (fraction === 0n) return `${seconds}Z`;
  return digits.endsWith("000") ? `${seconds}.${digits.slice(0, 3)}Z` : `${seconds}.${digits}Z`;
}

export function readDate(text: string): bigint {
  const [seconds = "", fraction = ""] = text.slice(0, -1).split(".");
  return BigInt(Date.parse(`${seconds}Z`)) * 1_000n + BigInt(fraction.padEnd(6, "0"));
}

/** A nanosecond later: what is asked for may be finer than what is kept. */
export function finerThan(date: string): string {
  const [seconds, fraction = ""] = date.slice(0, -1).split(".");
  return `${seconds}.${fraction.padEnd(6, "0")}001Z`;
}

/** Nanoseconds since 1970, because what is asked for may be finer than what is kept. */
export function readNanoseconds(text: string): bigint {
  const [seconds = "", fraction = ""] = text.slice(0, -1).split(".");
  return BigInt(Date.parse(`${seconds}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, "0"));
}
