import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { locale } from "../words/language/language.ts";
import { tokenWords as words } from "../words/tokens.ts";

/** A lifetime that a new token can have. */
export type Lifetime = {
  readonly seconds: number;
  readonly name: string;
  /** It ends with the token that the reader signed in with, a little sooner for each moment until it is asked for. */
  readonly isAsLongAsTheirs?: true;
};

const day = 86_400;
const usual = [1, 7, 30, 90, 365].map((days) => days * day);
const preset = 90 * day;

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
  if (left < longest)
    return left > 0 ? [...offered, { seconds: left, name: words.asLongAsYours, isAsLongAsTheirs: true }] : offered;
  const isUsual = usual.includes(most) || most > Math.max(...usual);
  return isUsual ? offered : [...offered, { seconds: most, name: lasting(most) }];
}

/** 90 days, or the longest that is shorter. */
export function presetOf(offered: readonly Lifetime[]): Lifetime | undefined {
  return offered.findLast(({ seconds }) => seconds <= preset);
}

/** In the largest unit without a rest. */
function lasting(seconds: number): string {
  const [unit, length] = units.find(([, length]) => seconds % length === 0) ?? ["second", 1];
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(seconds / length);
}

const units = [
  ["day", day],
  ["hour", 3_600],
  ["minute", 60],
] as const;
