import { describe, expect, test } from "vitest";
import { requireLifetime } from "../../src/identity/lifetime.ts";

const days = 86_400;
const inMicroseconds = (seconds: number) => BigInt(seconds) * 1_000_000n;

describe("The lifetime of a token", () => {
  test("is 90 days if none is asked for, or the maximum if that is shorter", () => {
    expect(requireLifetime(undefined, 366 * days)).toBe(inMicroseconds(90 * days));
    expect(requireLifetime(undefined, 30 * days)).toBe(inMicroseconds(30 * days));
  });

  test("may be the maximum, and not a nanosecond more", () => {
    const maximum = 1_000_000_000n * BigInt(days);
    expect(requireLifetime(maximum, days)).toBe(inMicroseconds(days));
    expect(() => requireLifetime(maximum + 1n, days)).toThrow("lifetime: must be at most 86400s");
  });

  test.each([
    [1n, 1n],
    [999n, 1n],
    [1_000n, 1n],
    [1_001n, 2n],
  ])("of %i ns is %i µs", (nanoseconds, microseconds) => {
    expect(requireLifetime(nanoseconds, days)).toBe(microseconds);
  });
});
