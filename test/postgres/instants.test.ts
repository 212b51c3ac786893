import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toRfc3339 } from "../../src/authorization/instant.ts";
import { parseInstant } from "../../src/postgres/pool/instants.ts";
import { databaseOfTests } from "../support/database.ts";

const database = await databaseOfTests();

const first = -62_135_596_800_000_000n;
const last = 253_402_300_799_999_999n;

describe("An instant", () => {
  test.each([
    ["1970-01-01 00:00:00+00", 0n],
    ["1970-01-01 00:00:00.000001+00", 1n],
    ["1969-12-31 23:59:59.999999+00", -1n],
    ["2026-01-31 08:00:00.12+00", 1_769_846_400_120_000n],
    ["2026-01-31 08:00:00.123456+00", 1_769_846_400_123_456n],
    ["0001-01-01 00:00:00+00", first],
    ["9999-12-31 23:59:59.999999+00", last],
  ])("is read from what Postgres prints: %s", (text, instant) => {
    expect(parseInstant(text)).toBe(instant);
  });

  test.each([
    "infinity",
    "-infinity",
    "10000-01-01 00:00:00+00",
    "0001-12-31 23:59:59+00 BC",
    "2026-01-31 08:00:00+01",
    "2026-01-31 08:00:00",
    "2026-01-31T08:00:00Z",
    "2026-01-31 08:00:00.1234567+00",
    "",
  ])("is not guessed from anything else: %s", (text) => {
    expect(() => parseInstant(text)).toThrow("not a timestamp");
  });

  test("has the first and the last day of every month of the years 1 to 9999 where JavaScript has it", () => {
    const wrong: string[] = [];
    const at = new Date(0);
    at.setUTCFullYear(1, 0, 1);
    for (; at.getUTCFullYear() < 10_000; at.setUTCMonth(at.getUTCMonth() + 1)) {
      for (const milliseconds of [at.getTime() - 1_000, at.getTime()].slice(
        at.getTime() * 1_000 <= Number(first) ? 1 : 0,
      )) {
        const [text = ""] = new Date(milliseconds).toISOString().split(".");
        const instant = BigInt(milliseconds) * 1_000n;
        const isRight = parseInstant(`${text.replace("T", " ")}+00`) === instant && toRfc3339(instant) === `${text}Z`;
        if (!isRight) wrong.push(text);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("comes back from Postgres as it was written, to the microsecond", async () => {
    const edges = [first, first + 1n, -1_000_000n, -1n, 0n, 1n, 999n, 1_000n, 999_999n, 1_000_000n, last - 1n, last];
    const random = fc.sample(fc.bigInt({ min: first, max: last }), { numRuns: 2_000, seed: 1 });
    const all = [...edges, ...random];
    const rows = await database.query<{ at: bigint }>(
      "select at::instant from unnest($1::timestamptz[]) with ordinality as given (at, n) order by n",
      [all.map(toRfc3339)],
    );
    expect(rows.map(({ at }) => at)).toEqual(all);
  });
});
