import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterEach, expect, it, vi } from "vitest";
import { inAddress } from "../../src/filters/moments.ts";
import { rangeInWords, rangeOf } from "../../src/history/range.ts";
import type { Preset } from "../../src/history/search.ts";

afterEach(() => vi.unstubAllEnvs());

/** The range in UTC, as a reader in the zone has it at that moment. */
function range(when: Preset, zone: string, now: string): string[] {
  vi.stubEnv("TZ", zone);
  const { from, to } = rangeOf({ when }, new Date(now));
  return [from, to].map((end) => inAddress(end)?.slice(0, 16) ?? "open");
}

it("days begin and end at the reader's midnight", () => {
  const now = "2026-11-18T15:00:00Z"; // A Wednesday.
  expect(range("today", "Europe/Berlin", now)).toEqual(["2026-11-17T23:00", "open"]);
  expect(range("yesterday", "Europe/Berlin", now)).toEqual(["2026-11-16T23:00", "2026-11-17T23:00"]);
  expect(range("last-7-days", "Europe/Berlin", now)).toEqual(["2026-11-11T23:00", "open"]);
  expect(range("last-week", "Europe/Berlin", now)).toEqual(["2026-11-08T23:00", "2026-11-15T23:00"]);
  expect(range("last-30-days", "Europe/Berlin", now)).toEqual(["2026-10-19T22:00", "open"]);
});

it("the same moment is of another day elsewhere", () => {
  const now = "2026-11-18T11:30:00Z";
  expect(range("today", "Pacific/Kiritimati", now)[0]).toBe("2026-11-18T10:00");
  expect(range("today", "Pacific/Pago_Pago", now)[0]).toBe("2026-11-18T11:00");
  expect(range("today", "Asia/Kathmandu", now)[0]).toBe("2026-11-17T18:15");
  expect(range("today", "America/Los_Angeles", now)[0]).toBe("2026-11-18T08:00");
});

it("this week is from Monday on, also on a Monday and on a Sunday", () => {
  expect(range("this-week", "UTC", "2026-11-16T00:00:00Z")).toEqual(["2026-11-16T00:00", "open"]);
  expect(range("this-week", "UTC", "2026-11-22T23:59:59Z")).toEqual(["2026-11-16T00:00", "open"]);
});

it("last week is from Monday to Sunday, also on a Monday and on a Sunday", () => {
  expect(range("last-week", "UTC", "2026-11-16T00:00:00Z")).toEqual(["2026-11-09T00:00", "2026-11-16T00:00"]);
  expect(range("last-week", "UTC", "2026-11-22T23:59:59Z")).toEqual(["2026-11-09T00:00", "2026-11-16T00:00"]);
});

it("a day on which clocks change has 23 or 25 hours", () => {
  expect(range("yesterday", "Europe/Berlin", "2026-03-30T10:00:00Z")).toEqual(["2026-03-28T23:00", "2026-03-29T22:00"]);
  expect(range("yesterday", "Europe/Berlin", "2026-10-26T10:00:00Z")).toEqual(["2026-10-24T22:00", "2026-10-25T23:00"]);
  expect(range("last-week", "America/New_York", "2026-11-04T12:00:00Z")).toEqual([
    "2026-10-26T04:00",
    "2026-11-02T05:00",
  ]);
});

it("a day whose midnight is skipped begins at its first moment", () => {
  expect(range("today", "Africa/Cairo", "2026-04-24T12:00:00Z")[0]).toBe("2026-04-23T22:00");
});

it("a range of the reader's own is from moment to moment", () => {
  expect(rangeOf({ from: "2026-11-01T10:00:00.000Z" }, new Date())).toEqual({
    from: timestampFromDate(new Date("2026-11-01T10:00:00Z")),
  });
  expect(rangeOf({}, new Date())).toEqual({});
});

it("a range is said in words, with its last day rather than the one it ends before", () => {
  vi.stubEnv("TZ", "Europe/Berlin");
  const day = (date: number, hour = 0) => new Date(2026, 10, date, hour);
  const days = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
  const hours = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  const inWords = ({ from, to }: { from?: Date; to?: Date }) =>
    rangeInWords({ ...(from && { from: timestampFromDate(from) }), ...(to && { to: timestampFromDate(to) }) });
  expect(inWords({ from: day(9), to: day(16) })).toBe(days.formatRange(day(9), day(15)));
  expect(inWords({ from: day(9) })).toBe(`since ${days.format(day(9))}`);
  expect(inWords({ to: day(16) })).toBe(`until ${days.format(day(15))}`);
  expect(inWords({ from: day(9), to: day(9, 12) })).toBe(hours.formatRange(day(9), day(9, 12)));
  expect(inWords({})).toBeUndefined();
});
