import { useId } from "react";
import { inField, ofField, presets, type Range } from "../moments.ts";
import { Problem } from "./problem.tsx";

type Props = { range: Range; problem: string | undefined; onChange: (range: Range) => void };

/** A range with an inclusive start and an exclusive end, in the reader's time zone. */
export function RangeForm({ range, problem, onChange }: Props) {
  const field = useId();
  const state = {
    type: "datetime-local",
    max: "9999-12-31T23:59",
    "aria-invalid": problem !== undefined || undefined,
    "aria-describedby": `${field}-zone ${field}-problem`,
  } as const;
  return (
    <div className="fields">
      <fieldset className="presets" aria-label="Usual ranges">
        {Object.entries(presets).map(([name, rangeOn]) => (
          <button key={name} type="button" onClick={() => onChange(rangeOn(new Date()))}>
            {name}
          </button>
        ))}
      </fieldset>
      <div className="ends">
        <label>
          From
          <input
            {...state}
            value={inField(range.from)}
            onChange={({ target }) => onChange({ ...range, from: ofField(target.value) })}
          />
        </label>
        <label>
          Until before
          <input
            {...state}
            value={inField(range.to)}
            onChange={({ target }) => onChange({ ...range, to: ofField(target.value) })}
          />
        </label>
      </div>
      <p id={`${field}-zone`} className="hint">
        In your time zone, {Intl.DateTimeFormat().resolvedOptions().timeZone}. Either may stay empty.
      </p>
      <Problem id={`${field}-problem`} text={problem} />
    </div>
  );
}
