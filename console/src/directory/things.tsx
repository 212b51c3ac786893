import "../changes/changes.css";
import { type ReactNode, useState } from "react";
import { SelectPage } from "../assignments/select-page.tsx";
import { type Selected, useRangeSelection } from "../assignments/use-range-selection.ts";
import { batchWords } from "../words/assignment-changes.ts";
import { rowWords } from "../words/rows.ts";

type Props<Row> = {
  /** What the table is called. */
  label: string;
  columns: readonly string[];
  className?: string;
  /** If rows can be selected, each begins with its box. */
  selection?: Selection<Row>;
  /** The rows. */
  children: ReactNode;
};

/** A table of things. In a narrow window, each row is a card. */
export function Things<Row extends { readonly id: string }>(props: Props<Row>) {
  const { label, columns, className = "", selection, children } = props;
  return (
    <table className={`things ${className}`} aria-label={label}>
      <thead>
        <tr>
          {selection && (
            <th scope="col" className="cell-check">
              <SelectPage {...selection}>
                <span className="visually-hidden">{rowWords.selectPage}</span>
              </SelectPage>
            </th>
          )}
          {columns.map((column, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is where it is.
            <th key={at} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** The rows of a page, and which of the list are selected. */
type Selection<Row> = {
  readonly rows: readonly Row[];
  readonly selected: Selected<Row>;
  /** Undefined while the rows are outdated, so none of them can be selected. */
  readonly onSelect: ((selected: Selected<Row>) => void) | undefined;
  readonly onSelectUpTo: (id: string, isSelected: boolean, isRange: boolean) => void;
  readonly onClear: () => void;
};

const nothingSelected = new Map<string, never>();

/** Rows stay selected on other pages of the same list. */
export function useSelection<Row extends { readonly id: string }>(
  list: string,
  rows: readonly Row[],
  isOutdated: boolean,
): Selection<Row> {
  const [selection, setSelection] = useState<{ list: string; selected: Selected<Row> }>();
  const selected = selection?.list === list ? selection.selected : nothingSelected;
  const onSelect = isOutdated ? undefined : (next: Selected<Row>) => setSelection({ list, selected: next });
  const onClear = () => setSelection(undefined);
  return { rows, selected, onSelect, onSelectUpTo: useRangeSelection(rows, selected, onSelect), onClear };
}

type RowProps<Row> = { selection: Selection<Row>; id: string; name: string; children: ReactNode };

/** A row that begins with its box. With Shift, the box is that of all rows from the one before. */
export function SelectableRow<Row>({ selection, id, name, children }: RowProps<Row>) {
  const isSelected = selection.selected.has(id);
  return (
    <tr data-selected={isSelected || undefined}>
      <td className="cell-check">
        <input
          type="checkbox"
          aria-label={rowWords.select(name)}
          checked={isSelected}
          onChange={({ nativeEvent }) =>
            selection.onSelectUpTo(id, !isSelected, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
          }
        />
      </td>
      {children}
    </tr>
  );
}

/** What can be done with the selected rows. */
export function SelectedRows<Row>({ selection, children }: Pick<RowProps<Row>, "selection" | "children">) {
  if (selection.selected.size === 0) return null;
  return (
    <section className="selection-bar" aria-label={batchWords.region}>
      <span role="status">{batchWords.selected(selection.selected.size)}</span>
      {children}
      <button type="button" className="selection-ways" onClick={selection.onClear}>
        {batchWords.clear}
      </button>
    </section>
  );
}
