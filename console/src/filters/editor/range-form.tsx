import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { useId } from "react";
import { filterEditorWords as words } from "../../words/filter-editor.ts";
import { inField, ofField, type Range, startOf } from "../moments.ts";
import { useProblem } from "./problem.tsx";

type Props = {
  isAhead: boolean;
  range: Range;
  problem: string | undefined;
  onChange: (range: Range) => void;
};

const presetNames = { ...words.presets, ...words.presetsAhead };
export type Preset = keyof typeof presetNames;

/** Ranges of whole days in the reader's time zone. */
export const presets: Readonly<Record<Preset, (today: Date) => Range>> = {
  today: (today) => days(today, 0, 1),
  // With the whole of the last day, so what was to end in 7 days is found.
  nextWeek: (today) => days(today, 0, 8),
  nextDays: (today) => days(today, 0, 31),
  week: (today) => days(today, -6, 1),
  days: (today) => days(today, -29, 1),
  month: (today) => between(startOf(today, { day: 1 }), startOf(today, { month: 1, day: 1 })),
};

function days(today: Date, first: number, end: number): Range {
  return between(startOf(today, { day: today.getDate() + first }), startOf(today, { day: today.getDate() + end }));
}

function between(from: Date, to: Date): Range {
  return { from: timestampFromDate(from), to: timestampFromDate(to) };
}

/** A range with an inclusive start and an exclusive end, in the reader's time zone. It may lie ahead. */
export function RangeForm({ isAhead, range, problem, onChange }: Props) {
  const zone = useId();
  const { state, shown } = useProblem(problem, zone);
  const offered = (Object.keys(presets) as Preset[]).filter((preset) => isAhead || !(preset in words.presetsAhead));
  const ends = [
    ["from", words.from],
    ["to", words.untilBefore],
  ] as const;
  return (
    <div className="stack">
      <fieldset className="line" aria-label={words.usualRanges}>
        {offered.map((preset) => (
          <button key={preset} type="button" onClick={() => onChange(presets[preset](new Date()))}>
            {presetNames[preset]}
          </button>
        ))}
      </fieldset>
      <div className="line ends">
        {ends.map(([end, label]) => (
          <label key={end}>
            {label}
            <input
              type="datetime-local"
              max="9999-12-31T23:59"
              {...state}
              value={inField(range[end])}
              onChange={({ target }) => onChange({ from: range.from, to: range.to, [end]: ofField(target.value) })}
            />
          </label>
        ))}
      </div>
      <p id={zone} className="hint">
        {words.zone(Intl.DateTimeFormat().resolvedOptions().timeZone)}
      </p>
      {shown}
    </div>
  );
}
