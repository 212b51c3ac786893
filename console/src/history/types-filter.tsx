import { useId } from "react";
import { historyWords } from "../words/history.ts";
import type { ChangedFilters, HistorySearch } from "./search.ts";

const words = historyWords.filters;

type Props = { search: HistorySearch; onChange: (changed: ChangedFilters) => void };

/** What happened to assignments, and what kinds of things of the directory changed. Of one history, only its own. */
export function TypesFilter({ search: { kind, types = [], kinds = [] }, onChange }: Props) {
  const popover = useId();
  const names = [...types.map((type) => historyWords.types[type]), ...kinds.map((one) => historyWords.kinds[one])];
  const [first] = names;
  const chosen = first === undefined ? words.anything : names.length === 1 ? first : words.several(names.length);
  return (
    <div className="field">
      <span aria-hidden="true">{words.types}</span>
      <button type="button" popoverTarget={popover} className="types-button" aria-label={`${words.types}: ${chosen}`}>
        {chosen}
        <span aria-hidden="true">▾</span>
      </button>
      <div id={popover} popover="auto" className="menu types-menu">
        {kind !== "directory" && (
          <Boxes
            legend={words.typesOf}
            names={historyWords.types}
            ticked={types}
            onChange={(next) => onChange({ types: next })}
          />
        )}
        {kind !== "assignments" && (
          <Boxes
            legend={words.kindsOf}
            names={historyWords.kinds}
            ticked={kinds}
            onChange={(next) => onChange({ kinds: next })}
          />
        )}
      </div>
    </div>
  );
}

type BoxesProps<Name extends string> = {
  legend: string;
  names: Readonly<Record<Name, string>>;
  ticked: readonly Name[];
  onChange: (ticked: readonly Name[]) => void;
};

function Boxes<Name extends string>({ legend, names, ticked, onChange }: BoxesProps<Name>) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {(Object.entries(names) as [Name, string][]).map(([name, text]) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={ticked.includes(name)}
            onChange={({ target }) =>
              onChange(target.checked ? [...ticked, name] : ticked.filter((one) => one !== name))
            }
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}
