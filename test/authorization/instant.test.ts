import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { modulo, toRfc3339 } from "../../src/authorization/instant.ts";

const first = -62_135_596_800_000_000n;
const last = 253_402_300_799_999_999n;

describe("An instant in RFC 3339", () => {
  test.each([
    [0n, "1970-01-01T00:00:00Z"],
    [1n, "1970-01-01T00:00:00.000001Z"],
    [10n, "1970-01-01T00:00:00.000010Z"],
    [1_000n, "1970-01-01T00:00:00.001Z"],
    [1_001n, "1970-01-01T00:00:00.001001Z"],
    [120_000n, "1970-01-01T00:00:00.120Z"],
    [999_999n, "1970-01-01T00:00:00.999999Z"],
    [1_000_000n, "1970-01-01T00:00:01Z"],
    [-1n, "1969-12-31T23:59:59.999999Z"],
    [-1_000n, "1969-12-31T23:59:59.999Z"],
    [-1_000_000n, "1969-12-31T23:59:59Z"],
    [-1_000_001n, "1969-12-31T23:59:58.999999Z"],
    [first, "0001-01-01T00:00:00Z"],
    [last, "9999-12-31T23:59:59.999999Z"],
  ])("%s has 0, 3 or 6 fractional digits: %s", (instant, text) => {
    expect(toRfc3339(instant)).toBe(text);
  });

  test("says its milliseconds as JavaScript does and keeps the microseconds, and longer ago sorts first", () => {
    const instants = fc.bigInt({ min: first, max: last });
    fc.assert(
      fc.property(instants, instants, (one, other) => {
        const text = toRfc3339(one);
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?Z$/);
        const digits = (text.split(".")[1] ?? "").replace("Z", "").padEnd(6, "0");
        expect(BigInt(Date.parse(`${text.slice(0, 19)}Z`)) * 1_000n + BigInt(digits)).toBe(one);
        const padded = (at: bigint) => toRfc3339(at).slice(0, -1).padEnd(20, ".").padEnd(26, "0");
        expect(padded(one) < padded(other)).toBe(one < other);
      }),
    );
  });

  test("is divided rounding down, also before 1970", () => {
    expect([modulo(7n, 5n), modulo(-7n, 5n), modulo(-5n, 5n), modulo(0n, 5n)]).toEqual([2n, 3n, 0n, 0n]);
  });
});
