import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { Fragment, type KeyboardEvent, useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { ColumnHead } from "../assignments/column-head.tsx";
import { Spacer } from "../assignments/spacer.tsx";
import { matrixWords as words } from "../words/matrix.ts";
import type { Column, Edits, Row } from "./cells.ts";
import { MatrixRow } from "./matrix-row.tsx";
import type { MatrixSearch } from "./search.ts";

type Props = {
  label: string;
  rows: readonly Row[];
  columns: readonly Column[];
  isOfRoles: boolean;
  edits: Edits;
  search: MatrixSearch;
  isOutdated: boolean;
  /** The key of the row to go to. */
  reveal: string | undefined;
  /** Toggles the role of a cell, or opens the roles of the project. */
  onPress: (row: Row, column: Column) => void;
  onSearch: (search: MatrixSearch) => void;
};

/** As in its style. */
const rowHeight = 48;
/** How far PageUp and PageDown lead. */
const pageOfRows = 10;

/** People and what they hold, cell by cell. Only visible rows are in the document; arrow keys lead through all of them. */
export function MatrixTable({
  label,
  rows,
  columns,
  isOfRoles,
  edits,
  search,
  isOutdated,
  reveal,
  onPress,
  onSearch,
}: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState({ row: 0, column: 0, isMoved: false });
  const row = Math.min(current.row, Math.max(0, rows.length - 1));
  const column = Math.min(current.column, Math.max(0, columns.length - 1));
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

  const goTo = useEffectEvent((key: string) => {
    const index = rows.findIndex((one) => one.key === key);
    if (index < 0) return;
    virtualizer.scrollToIndex(index);
    setCurrent({ row: index, column: 0, isMoved: true });
  });
  useEffect(() => {
    if (reveal !== undefined) goTo(reveal);
  }, [reveal]);

  const onFocus = useCallback((row: number, column: number) => setCurrent({ row, column, isMoved: false }), []);

  function onKeyDown(event: KeyboardEvent) {
    const step = stepOf(event, { row, column }, { row: rows.length - 1, column: columns.length - 1 });
    if (step === undefined) return;
    event.preventDefault();
    virtualizer.scrollToIndex(step.row);
    setCurrent({ ...step, isMoved: true });
  }

  return (
    <div ref={scroller} className="scroller" data-outdated={isOutdated || undefined}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells the arrow keys reach is a grid.
        role="grid"
        className="matrix"
        data-one-organization={!isOfRoles || undefined}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 2}
        aria-busy={isOutdated}
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr aria-rowindex={1}>
            <ColumnHead id="user" search={search} onSearch={(next) => onSearch({ ...search, ...next })}>
              {words.person}
            </ColumnHead>
            <ColumnHead id="organization" search={search} onSearch={(next) => onSearch({ ...search, ...next })}>
              {words.organization}
            </ColumnHead>
            {columns.map(({ id, name, detail }) => (
              <th key={id} scope="col" title={detail ? `${name} (${detail})` : name}>
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

/** Where a key leads, in the order of the pattern for grids (WAI-ARIA). */
function stepOf(event: KeyboardEvent, { row, column }: Cell, last: Cell): Cell | undefined {
  const isFar = event.ctrlKey || event.metaKey;
  // The browser's own, such as going back.
  if (event.altKey || (event.metaKey && event.key.startsWith("Arrow"))) return undefined;
  const within = (at: number) => Math.max(0, Math.min(at, last.row));
  switch (event.key) {
    case "ArrowUp":
      return { row: within(row - 1), column };
    case "ArrowDown":
      return { row: within(row + 1), column };
    case "ArrowLeft":
      return { row, column: Math.max(0, column - 1) };
    case "ArrowRight":
      return { row, column: Math.min(last.column, column + 1) };
    case "PageUp":
      return { row: within(row - pageOfRows), column };
    case "PageDown":
      return { row: within(row + pageOfRows), column };
    case "Home":
      return { row: isFar ? 0 : row, column: 0 };
    case "End":
      return { row: isFar ? last.row : row, column: last.column };
    default:
      return undefined;
  }
}
