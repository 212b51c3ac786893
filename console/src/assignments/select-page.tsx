import type { ReactNode } from "react";
import type { Selected } from "./use-range-selection.ts";

type Props<Row> = {
  rows: readonly Row[];
  selected: Selected<Row>;
  /** Undefined while the rows are outdated, so none of them can be selected. */
  onSelect: ((selected: Selected<Row>) => void) | undefined;
  /** Its label. */
  children: ReactNode;
};

/** Selects all rows of the page, or none of them. Rows of other pages stay as they are. */
export function SelectPage<Row extends { readonly id: string }>({ rows, selected, onSelect, children }: Props<Row>) {
  const count = rows.filter(({ id }) => selected.has(id)).length;
  const isAll = rows.length > 0 && count === rows.length;

  function toggle() {
    const next = new Map(selected);
    for (const row of rows) {
      if (isAll) next.delete(row.id);
      else next.set(row.id, row);
    }
    onSelect?.(next);
  }

  return (
    <label className="select-page">
      <input
        type="checkbox"
        disabled={rows.length === 0}
        checked={isAll}
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && !isAll;
        }}
        onChange={toggle}
      />
      {children}
    </label>
  );
}
