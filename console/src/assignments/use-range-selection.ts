import { useCallback, useInsertionEffect, useRef } from "react";

/** The selected rows by id. */
export type Selected<Row> = ReadonlyMap<string, Row>;

/**
 * Selects or clears a row; with Shift, all rows from the one before up to it. The function that it returns stays the same,
 * because rows are memoized.
 */
export function useRangeSelection<Row extends { readonly id: string }>(
  rows: readonly Row[],
  selected: Selected<Row>,
  /** Undefined while the rows are outdated, so none of them can be selected. */
  onSelect: ((selected: Selected<Row>) => void) | undefined,
) {
  const last = useRef<string>(undefined);
  const latest = useRef({ rows, selected, onSelect });
  useInsertionEffect(() => {
    latest.current = { rows, selected, onSelect };
  });
  return useCallback((id: string, isSelected: boolean, isRange: boolean) => {
    const { rows, selected, onSelect } = latest.current;
    const to = rows.findIndex((row) => row.id === id);
    const from = isRange ? rows.findIndex((row) => row.id === last.current) : -1;
    const range = from < 0 ? rows.slice(to, to + 1) : rows.slice(Math.min(from, to), Math.max(from, to) + 1);
    const next = new Map(selected);
    for (const row of range) {
      if (isSelected) next.set(row.id, row);
      else next.delete(row.id);
    }
    last.current = id;
    onSelect?.(next);
  }, []);
}
