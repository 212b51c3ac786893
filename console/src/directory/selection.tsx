import "../changes/changes.css";
import type { ReactNode } from "react";
import { type Selection, SelectRow } from "../parts/selection.tsx";
import { batchWords } from "../words/assignment-changes.ts";
import { rowWords } from "../words/rows.ts";

type RowProps<Row> = { selection: Selection<Row>; id: string; name: string; children: ReactNode };

/** A row that begins with its box. */
export function SelectableRow<Row>({ selection, id, name, children }: RowProps<Row>) {
  const isSelected = selection.selected.has(id);
  return (
    <tr data-selected={isSelected || undefined}>
      <SelectRow id={id} label={rowWords.select(name)} isSelected={isSelected} onSelectUpTo={selection.onSelectUpTo} />
      {children}
    </tr>
  );
}

type BarProps<Row> = { selection: Selection<Row>; children: ReactNode };

/** What can be done with the selected rows. */
export function SelectedRows<Row>({ selection: { selected, onSelect }, children }: BarProps<Row>) {
  if (selected.size === 0) return null;
  return (
    <section className="selection-bar" aria-label={batchWords.region}>
      <span role="status">{batchWords.selected(selected.size)}</span>
      {children}
      <button type="button" className="selection-ways" onClick={() => onSelect(new Map())}>
        {batchWords.clear}
      </button>
    </section>
  );
}
