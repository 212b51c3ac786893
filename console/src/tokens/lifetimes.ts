import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import { locale } from "../words/language/language.ts";
import { tokenWords as words } from "../words/tokens.ts";

/** A lifetime that a new token can have. */
type Lifetime = { readonly seconds: number; readonly name: string };

const day = 86_400;
const usual = [1, 7, 30, 90, 365].map((days) => days * day);
const units = [
  ["day", day],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/**
 * The lifetimes that the server gives a new token, ascending: the usual ones, and the longest if it is shorter than those.
 *
 * @param longest the longest that the server accepts, in seconds
 * @param end when the token ends that the reader signed in with: theirs end no later
 */
export function lifetimes(longest: number, end: Timestamp | undefined, now: number): Lifetime[] {
  const left = end === undefined ? Number.POSITIVE_INFINITY : Math.floor((timestampMs(end) - now) / 1_000);
  const most = Math.min(longest, left);
  const offered = usual.filter((seconds) => seconds <= most).map((seconds) => ({ seconds, name: lasting(seconds) }));
  if (left <= 0 || usual.includes(most) || most > 365 * day) return offered;
  return [...offered, { seconds: most, name: left < longest ? words.asLongAsYours : lasting(most) }];
}

/** 90 days, or the longest that is shorter. */
export function presetOf(offered: readonly Lifetime[]): Lifetime | undefined {
  return offered.findLast(({ seconds }) => seconds <= 90 * day);
}

/** In the largest unit without a rest. */
function lasting(seconds: number): string {
  const [unit, length] = units.find(([, length]) => seconds % length === 0) ?? units[3];
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(seconds / length);
}
