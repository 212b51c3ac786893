import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { presets } from "../../src/filters/editor/range-form.tsx";
import { inField, inWords, ofField } from "../../src/filters/moments.ts";

afterEach(() => vi.unstubAllEnvs());

describe.each(["UTC", "Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Pacific/Apia"])("in %s", (zone) => {
  it("a moment is read back from its field to the millisecond", () => {
    vi.stubEnv("TZ", zone);
    // Of an hour that comes twice, a field means the first.
    const unambiguous = fc
      .date({ min: new Date("1900-01-01"), max: new Date("9999-01-01"), noInvalidDate: true })
      .filter((date) => new Date(localText(date)).getTime() === date.getTime());
    fc.assert(
      fc.property(unambiguous, (date) => {
        const read = ofField(inField(timestampFromDate(date)));
        expect(read && timestampDate(read)).toEqual(date);
      }),
    );
  });

  it("presets begin and end with days of the reader", () => {
    vi.stubEnv("TZ", zone);
    const ranges = Object.values(presets).map((rangeOn) => rangeOn(new Date(2026, 2, 31, 23, 59)));
    expect(ranges.map(({ from, to }) => [inField(from), inField(to)])).toEqual([
      ["2026-03-31T00:00", "2026-04-01T00:00"],
      ["2026-03-31T00:00", "2026-04-08T00:00"],
      ["2026-03-31T00:00", "2026-05-01T00:00"],
      ["2026-03-25T00:00", "2026-04-01T00:00"],
      ["2026-03-02T00:00", "2026-04-01T00:00"],
      ["2026-03-01T00:00", "2026-04-01T00:00"],
    ]);
  });
});

it("days of a preset are days also when one of them has 23 hours", () => {
  vi.stubEnv("TZ", "Europe/Berlin");
  const { from, to } = presets.today(new Date("2026-03-29T12:00:00Z")) ?? {};
  expect(from && timestampDate(from).toISOString()).toBe("2026-03-28T23:00:00.000Z");
  expect(to && timestampDate(to).toISOString()).toBe("2026-03-29T22:00:00.000Z");
});

it("a field takes the time of the reader's zone", () => {
  vi.stubEnv("TZ", "Asia/Kathmandu");
  expect(timestampDate(ofField("2026-11-01T00:00") ?? never()).toISOString()).toBe("2026-10-31T18:15:00.000Z");
});

it("a field that is empty or half filled in gives no moment", () => {
  expect([ofField(""), ofField("2026-11"), ofField("2026-13-01T00:00")].map((moment) => moment !== undefined)).toEqual([
    false,
    true,
    false,
  ]);
});

it("words tell the day alone where it begins, else the time, and seconds where there are any", () => {
  const words = (text: string) => inWords(ofField(text) ?? never());
  const format = (options: Intl.DateTimeFormatOptions, text: string) =>
    new Intl.DateTimeFormat(undefined, { dateStyle: "medium", ...options }).format(new Date(text));
  expect(words("2026-11-01T00:00")).toBe(format({}, "2026-11-01T00:00"));
  expect(words("2026-11-01T10:30")).toBe(format({ timeStyle: "short" }, "2026-11-01T10:30"));
  expect(words("2026-11-01T10:30:05")).toBe(format({ timeStyle: "medium" }, "2026-11-01T10:30:05"));
});

function localText(date: Date): string {
  return inField(timestampFromDate(date));
}

function never(): never {
  throw new Error("there is no moment");
}
