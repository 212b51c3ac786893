import { useCallback, useInsertionEffect, useRef, useState } from "react";

/** The rows of a page, and which of the list are selected, by id. */
export type Selection<Row> = {
  /** None while they are outdated, so none of them can be selected. */
  readonly rows: readonly Row[];
  readonly selected: ReadonlyMap<string, Row>;
  /** The same, as the page shows them now, because people decide on changes by what they see. */
  readonly chosen: readonly Row[];
  readonly onSelect: (selected: ReadonlyMap<string, Row>) => void;
  /** Stays the same, because rows are memoized. */
  readonly onSelectUpTo: SelectUpTo;
};

/** Selects or clears a row; with Shift, all rows from the one before up to it. */
type SelectUpTo = (id: string, isSelected: boolean, isRange: boolean) => void;

const nothingSelected = new Map<string, never>();

/** Rows stay selected on other pages of the same list. */
export function useSelection<Row extends { readonly id: string }>(
  list: string,
  rowsOfPage: readonly Row[],
  isOutdated: boolean,
): Selection<Row> {
  const [selection, setSelection] = useState<{ list: string; selected: Selection<Row>["selected"] }>();
  const rows = isOutdated ? [] : rowsOfPage;
  const selected = selection?.list === list ? selection.selected : nothingSelected;
  const onSelect: Selection<Row>["onSelect"] = (next) => setSelection({ list, selected: next });
  const last = useRef<string>(undefined);
  const selectUpTo: SelectUpTo = (id, isSelected, isRange) => {
    const to = rows.findIndex((row) => row.id === id);
    const from = isRange ? rows.findIndex((row) => row.id === last.current) : -1;
    const range = from < 0 ? rows.slice(to, to + 1) : rows.slice(Math.min(from, to), Math.max(from, to) + 1);
    last.current = id;
    onSelect(withRows(selected, range, isSelected));
  };
  const latest = useRef(selectUpTo);
  useInsertionEffect(() => {
    latest.current = selectUpTo;
  });
  const onSelectUpTo = useCallback<SelectUpTo>((...given) => latest.current(...given), []);
  const shown = new Map(rows.map((row) => [row.id, row]));
  const chosen = [...selected.values()].map((row) => shown.get(row.id) ?? row);
  return { rows, selected, chosen, onSelect, onSelectUpTo };
}

function withRows<Row extends { readonly id: string }>(
  selected: ReadonlyMap<string, Row>,
  rows: readonly Row[],
  isSelected: boolean,
): ReadonlyMap<string, Row> {
  const next = new Map(selected);
  for (const row of rows) {
    if (isSelected) next.set(row.id, row);
    else next.delete(row.id);
  }
  return next;
}

type SelectPageProps<Row> = { selection: Selection<Row>; label: string };

/** Selects all rows of the page, or none of them. Rows of other pages stay as they are. */
export function SelectPage<Row extends { readonly id: string }>({ selection, label }: SelectPageProps<Row>) {
  const { rows, selected, onSelect } = selection;
  const count = rows.filter(({ id }) => selected.has(id)).length;
  const isAll = rows.length > 0 && count === rows.length;
  return (
    <th scope="col" className="cell-check">
      <label>
        <input
          type="checkbox"
          disabled={rows.length === 0}
          checked={isAll}
          ref={(box) => {
            if (box) box.indeterminate = count > 0 && !isAll;
          }}
          onChange={() => onSelect(withRows(selected, rows, !isAll))}
        />
        {/* A head has a text: a label alone is none. */}
        <span className="visually-hidden">{label}</span>
      </label>
    </th>
  );
}

type SelectRowProps = { id: string; label: string; isSelected: boolean; onSelectUpTo: SelectUpTo };

/** The box that a row begins with. With Shift, it is that of all rows from the one before. */
export function SelectRow({ id, label, isSelected, onSelectUpTo }: SelectRowProps) {
  return (
    <td className="cell-check">
      <input
        type="checkbox"
        aria-label={label}
        checked={isSelected}
        onChange={({ nativeEvent }) =>
          onSelectUpTo(id, !isSelected, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
    </td>
  );
}
