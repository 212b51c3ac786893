import { type SubmitEvent, useId, useState } from "react";
import { inAddress, inField, ofField } from "../filters/moments.ts";
import { historyWords } from "../words/history.ts";
import { rangeInWords, rangeOf } from "./range.ts";
import type { ChangedFilters, HistorySearch, Preset } from "./search.ts";

type Props = { search: HistorySearch; onChange: (changed: ChangedFilters) => void };

const words = historyWords.filters;

const anyTime = { when: undefined, from: undefined, to: undefined };

/** The time filter: days relative to today, or a range of times. */
export function RangeFilter({ search, onChange }: Props) {
  const field = useId();
  const hint = useId();
  const [isChosen, setChosen] = useState(false);
  const isOwn = search.when === undefined && (isChosen || search.from !== undefined || search.to !== undefined);
  const range = rangeOf(search, new Date());

  function choose(chosen: string) {
    setChosen(chosen === "custom");
    if (chosen === "") onChange(anyTime);
    // A custom range starts with the previous choice.
    else if (chosen === "custom") onChange({ when: undefined, from: inAddress(range.from), to: inAddress(range.to) });
    else onChange({ ...anyTime, when: chosen as Preset });
  }

  return (
    <>
      <div className="field">
        <label htmlFor={field}>{words.when}</label>
        <select
          id={field}
          value={search.when ?? (isOwn ? "custom" : "")}
          aria-describedby={hint}
          onChange={({ target }) => choose(target.value)}
        >
          <option value="">{words.anyTime}</option>
          {Object.entries(historyWords.presets).map(([preset, name]) => (
            <option key={preset} value={preset}>
              {name}
            </option>
          ))}
          <option value="custom">{words.custom}</option>
        </select>
        <span id={hint} className="hint" aria-live="polite">
          {rangeInWords(range)}
        </span>
      </div>
      {isOwn && <Ends key={`${search.from} ${search.to}`} range={range} onChange={onChange} />}
    </>
  );
}

function Ends({ range: { from, to }, onChange }: { range: ReturnType<typeof rangeOf>; onChange: Props["onChange"] }) {
  const [isBackwards, setBackwards] = useState(false);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const [first, last] = ["from", "to"].map((end) => inAddress(ofField(String(fields.get(end)))));
    const backwards = first !== undefined && last !== undefined && first > last;
    setBackwards(backwards);
    if (!backwards) onChange({ when: undefined, from: first, to: last });
  }

  return (
    <form className="range-ends" onSubmit={submit}>
      <label>
        {words.from}
        <input type="datetime-local" name="from" defaultValue={inField(from)} />
      </label>
      <label>
        {words.before}
        <input type="datetime-local" name="to" defaultValue={inField(to)} aria-invalid={isBackwards || undefined} />
      </label>
      <button type="submit">{words.show}</button>
      {isBackwards && <p role="alert">{words.backwards}</p>}
    </form>
  );
}
