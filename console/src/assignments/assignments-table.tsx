import type { Authorization } from "@authorization-service/client";
import { type RowSelectionState, useTable } from "@tanstack/react-table";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useMemo, useRef } from "react";
import { AssignmentRow } from "./assignment-row.tsx";
import { ColumnHead } from "./column-head.tsx";
import { columnNames, columns, features } from "./columns.tsx";
import type { AssignmentsSearch } from "./search.ts";
import { SkeletonRows } from "./skeleton-rows.tsx";

type Props = {
  /** Undefined while the first page is on its way. */
  rows: Authorization[] | undefined;
  search: AssignmentsSearch;
  /** Whether the rows are those of the list before, while the next is on its way. */
  isOutdated: boolean;
  selected: ReadonlyMap<string, Authorization>;
  onSelect: (selected: ReadonlyMap<string, Authorization>) => void;
  onOpen: (id: string) => void;
  onSearch: (search: AssignmentsSearch) => void;
};

const none: Authorization[] = [];
/** Beside a panel there is room for what tells assignments apart; the panel says when. */
const leftToPanel = ["created", "changed"];
/** Of a row with two lines, in pixels; a row that is higher is measured. */
const usualHeight = 53;

/** A page of assignments. Only the rows in sight are in the document, however long the page is. */
export function AssignmentsTable({ rows = none, search, isOutdated, selected, onSelect, onOpen, onSearch }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const rowSelection = useMemo(
    () => Object.fromEntries([...selected.keys()].map((id) => [id, true as const])),
    [selected],
  );
  const isBesidePanel = search.id !== undefined;
  const columnVisibility = useMemo(() => {
    const hidden = [...(search.hidden ?? []), ...(isBesidePanel ? leftToPanel : [])];
    return Object.fromEntries(hidden.filter((id) => id in columnNames).map((id) => [id, false]));
  }, [search.hidden, isBesidePanel]);
  const table = useTable({
    features,
    columns,
    data: rows,
    getRowId: ({ id }) => id,
    state: { rowSelection, columnVisibility },
    onRowSelectionChange: (change) => {
      const next: RowSelectionState = typeof change === "function" ? change(rowSelection) : change;
      const known = new Map([...selected, ...rows.map((row) => [row.id, row] as const)]);
      onSelect(new Map([...known].filter(([id]) => next[id])));
    },
  });
  const listed = table.getRowModel().rows;
  const virtualizer = useVirtualizer({
    count: listed.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => usualHeight,
    getItemKey: (index) => listed[index]?.id ?? index,
    overscan: 8,
    // What is there before the first measurement, so that the first rows do not wait for it.
    initialRect: { width: 1_000, height: 900 },
  });
  const inSight = virtualizer.getVirtualItems();
  const width = table.getVisibleLeafColumns().length + 1;

  return (
    <div ref={scroller} className="scroller" data-outdated={isOutdated || undefined}>
      <table
        className="table"
        aria-label="Assignments"
        aria-rowcount={rows.length + 1}
        aria-busy={rows === none || isOutdated}
      >
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} aria-rowindex={1}>
              <th scope="col" className="cell-check">
                <input
                  type="checkbox"
                  aria-label="Select all rows of this page"
                  disabled={rows === none}
                  checked={rows.length > 0 && table.getIsAllRowsSelected()}
                  ref={(box) => {
                    if (box) box.indeterminate = table.getIsSomeRowsSelected() && !table.getIsAllRowsSelected();
                  }}
                  onChange={table.getToggleAllRowsSelectedHandler()}
                />
              </th>
              {group.headers.map((header) => (
                <ColumnHead key={header.id} id={header.column.id} search={search} onSearch={onSearch}>
                  {header.column.columnDef.header as string}
                </ColumnHead>
              ))}
            </tr>
          ))}
        </thead>
        <tbody onKeyDown={moveBetweenRows}>
          {rows === none && <SkeletonRows columns={width} />}
          <Spacer height={inSight[0]?.start ?? 0} columns={width} />
          {inSight.map(({ index }) => {
            const row = listed[index];
            if (row === undefined) return null;
            return (
              <AssignmentRow
                key={row.id}
                row={row}
                index={index}
                isSelected={row.getIsSelected()}
                isOpen={row.id === search.id}
                columnVisibility={columnVisibility}
                measure={virtualizer.measureElement}
                onOpen={onOpen}
              />
            );
          })}
          <Spacer height={virtualizer.getTotalSize() - (inSight.at(-1)?.end ?? 0)} columns={width} />
        </tbody>
      </table>
    </div>
  );
}

/** Stands for the rows that are out of sight. */
function Spacer({ height, columns: span }: { height: number; columns: number }) {
  return height <= 0 ? null : (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row of a table takes no focus.
    <tr aria-hidden="true" className="spacer">
      <td colSpan={span} style={{ height }} />
    </tr>
  );
}

/** Up and down go from a row to the next, on what has the focus in it. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" } as const;
  const way = step[event.key as keyof typeof step];
  const focused = document.activeElement;
  if (way === undefined || !focused) return;
  const kind = focused.matches("input") ? "input" : ".opener";
  const target = focused.closest("tr")?.[way]?.querySelector<HTMLElement>(kind);
  if (target) {
    event.preventDefault();
    target.focus();
    target.scrollIntoView({ block: "nearest" });
  }
}
