import "../changes/changes.css";
import { type ReactNode, useState } from "react";
import { type Selected, useRangeSelection } from "../assignments/use-range-selection.ts";
import { batchWords } from "../words/assignment-changes.ts";
import { rowWords } from "../words/rows.ts";

/** The rows of a page, and which of the list are selected. */
export type Selection<Row> = {
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

type BarProps<Row> = { selection: Selection<Row>; children: ReactNode };

/** What can be done with the selected rows. */
export function SelectedRows<Row>({ selection: { selected, onClear }, children }: BarProps<Row>) {
  if (selected.size === 0) return null;
  return (
    <section className="selection-bar" aria-label={batchWords.region}>
      <span role="status">{batchWords.selected(selected.size)}</span>
      {children}
      <button type="button" className="selection-ways" onClick={onClear}>
        {batchWords.clear}
      </button>
    </section>
  );
}
