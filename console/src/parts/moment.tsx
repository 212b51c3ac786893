import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { locale } from "../words/language/language.ts";

export const inZone = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
const toSeconds = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "long" });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });

/** A time in the reader's time zone. Its tooltip shows it to the second, also in UTC. */
export function Moment({ at }: { at: Timestamp | undefined }) {
  return at && <Time at={at} text={momentText(at)} />;
}

/** How long ago a time was, or how far it is ahead, for narrow columns. Its tooltip shows when that is. */
export function Ago({ at }: { at: Timestamp | undefined }) {
  return at && <Time at={at} text={agoText(timestampDate(at).getTime() - Date.now())} />;
}

function Time({ at, text }: { at: Timestamp; text: string }) {
  const date = timestampDate(at);
  return (
    <time dateTime={date.toISOString()} title={`${toSeconds.format(date)}\n${inUtc(at)}`}>
      {text}
    </time>
  );
}

/** The same as a text, within a sentence. */
export function momentText(at: Timestamp): string {
  return inZone.format(timestampDate(at));
}

const minuteMs = 60_000;
/** Each unit with its length in minutes, and the length from which the next one is used. */
const units = [
  ["minute", 1, 60],
  ["hour", 60, 1_440],
  ["day", 1_440, 43_800],
  ["month", 43_800, 525_600],
  ["year", 525_600, Number.POSITIVE_INFINITY],
] as const;

/** Such as "3 days ago" or "in 2 months". */
export function agoText(ms: number): string {
  const minutes = ms / minuteMs;
  const rounded = (length: number) => Math.round(minutes / length) || 0;
  const [unit, length] = units.find(([, length, end]) => Math.abs(rounded(length) * length) < end) ?? units[4];
  return relative.format(rounded(length), rounded(length) === 0 ? "second" : unit);
}

/** A time to the second, in UTC. */
function inUtc(at: Timestamp): string {
  return `${timestampDate(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
