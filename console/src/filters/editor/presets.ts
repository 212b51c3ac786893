import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { filterEditorWords as words } from "../../words/filter-editor.ts";
import { type Range, startOf } from "../moments.ts";

export const presetNames = { ...words.presets, ...words.presetsAhead };
export type Preset = keyof typeof presetNames;

/** Ranges of whole days in the reader's time zone. */
export const presets: Readonly<Record<Preset, (today: Date) => Range>> = {
  today: (today) => days(today, 0, 1),
  week: (today) => days(today, -6, 1),
  days: (today) => days(today, -29, 1),
  month: (today) => between(startOf(today, { day: 1 }), startOf(today, { month: 1, day: 1 })),
  // With the whole of the last day, so what was to end in 7 days is found.
  nextWeek: (today) => days(today, 0, 8),
  nextDays: (today) => days(today, 0, 31),
};

export const past: readonly Preset[] = ["today", "week", "days", "month"];
/** For what lies ahead, too. */
export const ahead: readonly Preset[] = ["today", "nextWeek", "nextDays", "month", "week", "days"];

function days(today: Date, first: number, end: number): Range {
  return between(startOf(today, { day: today.getDate() + first }), startOf(today, { day: today.getDate() + end }));
}

function between(from: Date, to: Date): Range {
  return { from: timestampFromDate(from), to: timestampFromDate(to) };
}
