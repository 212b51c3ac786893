import { useId } from "react";
import { filterEditorWords } from "../../words/filter-editor.ts";
import { inField, ofField, type Range } from "../moments.ts";
import { type Preset, presetNames, presets } from "./presets.ts";
import { useProblem } from "./problem.tsx";

const words = filterEditorWords;

type Props = { range: Range; problem: string | undefined; onChange: (range: Range) => void };

/** A range with an inclusive start and an exclusive end, in the reader's time zone. */
export function RangeForm({ offered, ...props }: Props & { offered: readonly Preset[] }) {
  return (
    <div className="stack">
      <fieldset className="presets" aria-label={words.usualRanges}>
        {offered.map((preset) => (
          <button key={preset} type="button" onClick={() => props.onChange(presets[preset](new Date()))}>
            {presetNames[preset]}
          </button>
        ))}
      </fieldset>
      <RangeEnds {...props} />
    </div>
  );
}

export function RangeEnds({ range, problem, onChange }: Props) {
  const zone = useId();
  const { state, shown } = useProblem(problem, zone);
  const end = { type: "datetime-local", max: "9999-12-31T23:59", ...state };
  return (
    <>
      <div className="ends">
        <label>
          {words.from}
          <input
            {...end}
            value={inField(range.from)}
            onChange={({ target }) => onChange({ ...range, from: ofField(target.value) })}
          />
        </label>
        <label>
          {words.untilBefore}
          <input
            {...end}
            value={inField(range.to)}
            onChange={({ target }) => onChange({ ...range, to: ofField(target.value) })}
          />
        </label>
      </div>
      <p id={zone} className="hint">
        {words.zone(Intl.DateTimeFormat().resolvedOptions().timeZone)}
      </p>
      {shown}
    </>
  );
}
