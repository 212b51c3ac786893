import { type Timestamp, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { locale } from "../words/language/language.ts";

/** A range from `from`, inclusive, to `to`, exclusive. */
export type Range = { readonly from?: Timestamp | undefined; readonly to?: Timestamp | undefined };

/** A time in words, in the reader's time zone. The start of a day is shown as a day. */
export function inWords(moment: Timestamp): string {
  const date = timestampDate(moment);
  const isMidnight = date.getTime() === startOf(date).getTime() && moment.nanos === 0;
  const hasSeconds = date.getSeconds() > 0 || moment.nanos > 0;
  return new Intl.DateTimeFormat(locale, {
    dateStyle: "medium",
    ...(!isMidnight && { timeStyle: hasSeconds ? "medium" : "short" }),
  }).format(date);
}

/** A time in the format of a datetime-local field, in the reader's time zone. */
export function inField(moment: Timestamp | undefined): string {
  if (moment === undefined) return "";
  const date = timestampDate(moment);
  // The time zone offset of an old date may have seconds, which getTimezoneOffset leaves out.
  const local = Date.UTC(
    date.getFullYear(),
    date.getMonth(),
    date.getDate(),
    date.getHours(),
    date.getMinutes(),
    date.getSeconds(),
    date.getMilliseconds(),
  );
  return Number.isNaN(local) ? "" : new Date(local).toISOString().replace(/(:00)?\.000Z$|Z$/, "");
}

/** The range as an address has it. */
export function inAddress({ from, to }: Range) {
  return { from: from && timestampDate(from).toISOString(), to: to && timestampDate(to).toISOString() };
}

/** The time in such a field; undefined if it is empty or incomplete. */
export function ofField(text: string): Timestamp | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : timestampFromDate(date);
}

/** The start of a day in the date's month or a later one. A day may start later than midnight. */
export function startOf(date: Date, { month = 0, day = date.getDate() }: { month?: number; day?: number } = {}): Date {
  return new Date(date.getFullYear(), date.getMonth() + month, day);
}
