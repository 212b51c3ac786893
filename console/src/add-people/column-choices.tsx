import { addPeopleWords as words } from "../words/add-people.ts";
import type { Column } from "./columns.ts";

type Props = { columns: readonly Column[]; onChange: (at: number, column: Column) => void };

/** What each column of the list has, to put right what was recognized wrongly. */
export function ColumnChoices({ columns, onChange }: Props) {
  return (
    <fieldset className="column-choices">
      <legend>{words.columnsTitle}</legend>
      {columns.map((column, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is where it is.
        <label key={at}>
          {words.column(at + 1)}
          <select value={column} onChange={({ target }) => onChange(at, target.value as Column)}>
            {Object.entries(words.columns).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ))}
    </fieldset>
  );
}
