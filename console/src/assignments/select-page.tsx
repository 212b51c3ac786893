import type { Authorization } from "@authorization-service/client";
import type { ReactNode } from "react";

type Selected = ReadonlyMap<string, Authorization>;

type Props = {
  rows: readonly Authorization[];
  selected: Selected;
  /** Undefined while the rows are outdated, so none of them can be selected. */
  onSelect: ((selected: Selected) => void) | undefined;
  /** Its label. */
  children: ReactNode;
};

/** Selects all rows of the page, or none of them. Rows of other pages stay as they are. */
export function SelectPage({ rows, selected, onSelect, children }: Props) {
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
