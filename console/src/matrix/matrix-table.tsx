import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type ComponentProps, Fragment, type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import { ColumnHead } from "../assignments/column-head.tsx";
import { Spacer } from "../assignments/spacer.tsx";
import { matrixWords as words } from "../words/matrix.ts";
import type { MatrixSearch, Row } from "./cells.ts";
import { MatrixRow } from "./matrix-row.tsx";

type Props = Pick<ComponentProps<typeof MatrixRow>, "columns" | "isOfRoles" | "edits" | "onPress"> & {
  label: string;
  rows: readonly Row[];
  search: MatrixSearch;
  onSearch: (search: MatrixSearch) => void;
};

/** As in its style. */
const rowHeight = 48;
/** How far PageUp and PageDown lead. */
const pageOfRows = 10;

/** People and what they hold, cell by cell. Only visible rows are in the document; arrow keys lead through all of them. */
export function MatrixTable({ label, rows, columns, isOfRoles, edits, search, onPress, onSearch }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState({ row: 0, column: 0, isMoved: false });
  const last = { row: rows.length - 1, column: columns.length - 1 };
  const { row, column } = within(current, last);
  // The row with the focus is always in the document, or it would lose the focus.
  const rangeExtractor = useCallback(
    (range: Range) => [...new Set([...defaultRangeExtractor(range), row])].sort((one, other) => one - other),
    [row],
  );
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 8,
    rangeExtractor: rows.length === 0 ? defaultRangeExtractor : rangeExtractor,
    initialRect: { width: 1_000, height: 600 },
  });
  const inSight = virtualizer.getVirtualItems();

  useEffect(() => {
    if (!current.isMoved) return;
    scroller.current?.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`)?.focus();
  }, [current, row, column]);

  const onFocus = useCallback((row: number, column: number) => setCurrent({ row, column, isMoved: false }), []);

  function onKeyDown(event: KeyboardEvent) {
    const step = stepOf(event, { row, column }, last);
    if (step === undefined) return;
    event.preventDefault();
    virtualizer.scrollToIndex(step.row);
    setCurrent({ ...step, isMoved: true });
  }

  return (
    <div ref={scroller} className="scroller">
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells the arrow keys reach is a grid.
        role="grid"
        className="matrix"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + (isOfRoles ? 2 : 1)}
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr aria-rowindex={1}>
            {(isOfRoles ? (["user", "organization"] as const) : (["user"] as const)).map((id) => (
              <ColumnHead key={id} id={id} search={search} onSearch={(next) => onSearch({ ...search, ...next })}>
                {id === "user" ? words.person : words.organization}
              </ColumnHead>
            ))}
            {columns.map(({ id, name }) => (
              <th key={id} scope="col" title={name}>
                <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {inSight.map(({ index, start }, place) => {
            const one = rows[index];
            if (one === undefined) return null;
            return (
              <Fragment key={one.key}>
                <Spacer height={start - (inSight[place - 1]?.end ?? 0)} />
                <MatrixRow
                  row={one}
                  index={index}
                  columns={columns}
                  isOfRoles={isOfRoles}
                  edits={edits}
                  current={index === row ? column : undefined}
                  onPress={onPress}
                  onFocus={onFocus}
                />
              </Fragment>
            );
          })}
          <Spacer height={virtualizer.getTotalSize() - (inSight.at(-1)?.end ?? 0)} />
        </tbody>
      </table>
    </div>
  );
}

type Cell = { readonly row: number; readonly column: number };

function within({ row, column }: Cell, last: Cell): Cell {
  return { row: Math.max(0, Math.min(row, last.row)), column: Math.max(0, Math.min(column, last.column)) };
}

/** Where a key leads, in the order of the pattern for grids (WAI-ARIA). */
function stepOf(event: KeyboardEvent, { row, column }: Cell, last: Cell): Cell | undefined {
  const { key, ctrlKey, metaKey, altKey } = event;
  // The browser's own, such as going back.
  if (altKey || (metaKey && key.startsWith("Arrow"))) return undefined;
  const isFar = ctrlKey || metaKey;
  const steps: Partial<Record<string, Cell>> = {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    PageUp: { row: row - pageOfRows, column },
    PageDown: { row: row + pageOfRows, column },
    Home: { row: isFar ? 0 : row, column: 0 },
    End: { row: isFar ? last.row : row, column: last.column },
  };
  return steps[key] && within(steps[key], last);
}
