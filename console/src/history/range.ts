import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Range, startOf } from "../filters/moments.ts";
import { historyWords } from "../words/history.ts";
import { locale } from "../words/language/language.ts";
import type { ChangedFilters, Preset } from "./search.ts";

/** The range in an address. */
export function rangeOf({ when, from, to }: ChangedFilters, now: Date): Range {
  const { from: first = from, to: end = to } = when === undefined ? {} : daysOf[when](now);
  return {
    ...(first !== undefined && { from: timestampFromDate(new Date(first)) }),
    ...(end !== undefined && { to: timestampFromDate(new Date(end)) }),
  };
}

/** Days start at the reader's midnight, or at the first time after it if the clock skips midnight. */
const daysOf: Record<Preset, (now: Date) => { readonly from: Date; readonly to?: Date }> = {
  today: (now) => ({ from: midnight(now, 0) }),
  yesterday: (now) => ({ from: midnight(now, 1), to: midnight(now, 0) }),
  "last-7-days": (now) => ({ from: midnight(now, 6) }),
  "this-week": (now) => ({ from: midnight(now, sinceMonday(now)) }),
  "last-week": (now) => ({ from: midnight(now, sinceMonday(now) + 7), to: midnight(now, sinceMonday(now)) }),
  "last-30-days": (now) => ({ from: midnight(now, 29) }),
};

function sinceMonday(now: Date): number {
  return (now.getDay() + 6) % 7;
}

/** Counts by the calendar, because not every day has 24 hours. */
function midnight(now: Date, daysAgo: number): Date {
  return startOf(now, { day: now.getDate() - daysAgo });
}

/** The range in the reader's words; undefined for all time. */
export function rangeInWords(range: Range): string | undefined {
  const [from, to] = [range.from, range.to].map((end) => end && timestampDate(end));
  const isWholeDays = [from, to].every((end) => end === undefined || end.getTime() === startOf(end).getTime());
  const format = new Intl.DateTimeFormat(
    locale,
    isWholeDays ? { dateStyle: "medium" } : { dateStyle: "medium", timeStyle: "short" },
  );
  // For whole days, shows the last day of the range, not the day after it.
  const last = to && isWholeDays ? new Date(to.getTime() - 1) : to;
  if (from && last) return from > last ? undefined : format.formatRange(from, last);
  if (from) return historyWords.filters.since(format.format(from));
  return last && historyWords.filters.until(format.format(last));
}
