import { addPeopleWords as words } from "../words/add-people.ts";

type Props<Column extends string> = {
  columns: readonly Column[];
  /** Everything that a column can have. */
  names: Readonly<Record<Column, string>>;
  onChange: (columns: readonly Column[]) => void;
};

/** What each column of the list has, to put right what was recognized wrongly. */
export function ColumnChoices<Column extends string>({ columns, names, onChange }: Props<Column>) {
  return (
    <fieldset className="column-choices">
      <legend>{words.columnsTitle}</legend>
      {columns.map((column, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is where it is.
        <label key={at}>
          {words.column(at + 1)}
          <select value={column} onChange={({ target }) => onChange(columns.with(at, target.value as Column))}>
            {(Object.keys(names) as Column[]).map((value) => (
              <option key={value} value={value}>
                {names[value]}
              </option>
            ))}
          </select>
        </label>
      ))}
    </fieldset>
  );
}
