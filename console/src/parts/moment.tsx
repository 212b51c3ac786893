import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { locale } from "../words/language/language.ts";

const inZone = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
const toSeconds = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "long" });

/** A time in the reader's time zone. Its tooltip shows it to the second, also in UTC. */
export function Moment({ at }: { at: Timestamp | undefined }) {
  if (at === undefined) return null;
  const date = timestampDate(at);
  const [day, time] = halves(date);
  return (
    <time dateTime={date.toISOString()} title={`${toSeconds.format(date)}\n${inUtc(at)}`}>
      {day}
      <span className="time-of-day">{time}</span>
    </time>
  );
}

/** The same as a text, within a sentence. */
export function momentText(at: Timestamp): string {
  return inZone.format(timestampDate(at));
}

/** Splits the text into the day and the time, "Jul 8, 2024" and ", 5:44 AM", because narrow columns show only the day. */
function halves(date: Date): readonly [string, string] {
  const parts = inZone.formatToParts(date);
  const time = parts.findIndex(({ type }) => type === "hour" || type === "dayPeriod");
  const middle = parts[time - 1]?.type === "literal" ? time - 1 : time;
  const text = (some: Intl.DateTimeFormatPart[]) => some.map(({ value }) => value).join("");
  return [text(parts.slice(0, middle)), text(parts.slice(middle))];
}

/** A time to the second, in UTC. */
export function inUtc(at: Timestamp): string {
  return `${timestampDate(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
