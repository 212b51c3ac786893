import { historyWords } from "../words/history.ts";
import { locale } from "../words/language/language.ts";
import type { HistorySearch, Preset } from "./search.ts";

/** A range from `from`, inclusive, to `to`, exclusive. Either end may be missing. */
export type Range = { readonly from?: Date; readonly to?: Date };

/** The range in an address. */
export function rangeOf({ when, from, to }: HistorySearch, now: Date): Range {
  if (when !== undefined) return daysOf[when](now);
  return { ...(from !== undefined && { from: new Date(from) }), ...(to !== undefined && { to: new Date(to) }) };
}

/** Days start at the reader's midnight, or at the first time after it if the clock skips midnight. */
const daysOf: Record<Preset, (now: Date) => Range> = {
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
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo);
}

/** The range in the reader's words; undefined for all time. */
export function rangeInWords({ from, to }: Range): string | undefined {
  const isWholeDays = [from, to].every((end) => end === undefined || isMidnight(end));
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

function isMidnight(moment: Date): boolean {
  return moment.getTime() === midnight(moment, 0).getTime();
}

/** A time in the format of a date and time field, in the reader's time zone. */
export function fieldOf(moment: Date | undefined): string {
  if (moment === undefined) return "";
  const [year, month, day, hour, minute] = [
    moment.getFullYear(),
    moment.getMonth() + 1,
    moment.getDate(),
    moment.getHours(),
    moment.getMinutes(),
  ].map((part, index) => String(part).padStart(index === 0 ? 4 : 2, "0"));
  return `${year}-${month}-${day}T${hour}:${minute}`;
}

/** The time in such a field; undefined while it is empty. */
export function momentOfField(text: string): string | undefined {
  const moment = new Date(text);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}
