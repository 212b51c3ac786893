import type { Authorization } from "@authorization-service/client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Fragment, lazy, Suspense, useCallback, useDeferredValue, useMemo, useRef, useState } from "react";
import { useCaller } from "../caller.ts";
import { may } from "../directory/rights.ts";
import { useScrollToTop } from "../parts/use-scroll-to-top.ts";
import { assignmentWords as words } from "../words/assignments.ts";
import { AssignmentRow } from "./assignment-row.tsx";
import { ColumnHead } from "./column-head.tsx";
import { columnNames, columns } from "./columns.tsx";
import { type Names, OwnerNames } from "./project-cell.tsx";
import { moveBetweenRows, withFocusedRow } from "./row-focus.ts";
import type { AssignmentsSearch } from "./search.ts";
import { SelectPage } from "./select-page.tsx";
import { SkeletonRows } from "./skeleton-rows.tsx";
import { Spacer } from "./spacer.tsx";
import { useRangeSelection } from "./use-range-selection.ts";

const OwnerNamesOf = lazy(async () => ({ default: (await import("./owner-names.tsx")).OwnerNamesOf }));
const EditRoles = lazy(async () => ({ default: (await import("../changes/edit-roles.tsx")).EditRoles }));

type Props = {
  /** Undefined while the first page is loading. */
  rows: Authorization[] | undefined;
  search: AssignmentsSearch;
  /** Whether the rows belong to the previous list, while the next one is loading. */
  isOutdated: boolean;
  selected: ReadonlyMap<string, Authorization>;
  onSelect: (selected: ReadonlyMap<string, Authorization>) => void;
  onOpen: (id: string) => void;
  onSearch: (search: AssignmentsSearch) => void;
};

const none: Authorization[] = [];
/** Beside a panel there is only room for the columns that distinguish assignments. The panel has the dates. */
const leftToPanel = ["ends", "created", "changed"];
/** The height of a row with two lines, in pixels. Higher rows are measured. */
const usualHeight = 53;

/** A page of assignments. Only visible rows are in the document, however long the page is. */
export function AssignmentsTable({
  rows: given = none,
  search,
  selected,
  onSelect,
  onOpen,
  onSearch,
  ...props
}: Props) {
  // New rows are rendered in short steps, so the page reacts in between.
  const answer = useMemo(() => ({ rows: given, isOutdated: props.isOutdated }), [given, props.isOutdated]);
  const { rows, ...deferred } = useDeferredValue(answer);
  const isOutdated = props.isOutdated || deferred.isOutdated;
  const scroller = useRef<HTMLDivElement>(null);
  const isBesidePanel = search.id !== undefined;
  const visible = useMemo(() => {
    const hidden = [...(search.hidden ?? []), ...(isBesidePanel ? leftToPanel : [])];
    return columns.filter(({ id }) => !(id in columnNames && hidden.includes(id)));
  }, [search.hidden, isBesidePanel]);
  // In an address, only a filter has this key.
  const isAboutEnds = search.sort === "ends" || JSON.stringify(search.filters ?? "").includes('"expires":');
  // Rows of the previous list can't be selected while the next one is loading.
  const select = isOutdated ? undefined : onSelect;
  const selectUpTo = useRangeSelection(rows, selected, select);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => usualHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 8,
    rangeExtractor: withFocusedRow,
    // The size before the first measurement, so the first rows don't wait for it.
    initialRect: { width: 1_000, height: 600 },
  });
  const inSight = virtualizer.getVirtualItems();
  const { id: _, create: __, hidden: ___, skipped: ____, ...list } = search;
  useScrollToTop(scroller, JSON.stringify(list), isOutdated);

  const [ownerNames, setOwnerNames] = useState<Names>();
  const caller = useCaller();
  const [editing, setEditing] = useState<{ row: Authorization; opener: HTMLElement }>();
  const edit = useCallback((row: Authorization, opener: HTMLElement) => setEditing({ row, opener }), []);

  return (
    <OwnerNames value={ownerNames}>
      {rows.length > 0 && (
        <Suspense>
          <OwnerNamesOf rows={rows} onKnown={setOwnerNames} />
        </Suspense>
      )}
      <div ref={scroller} className="scroller" data-outdated={isOutdated || undefined}>
        {/* Where rows are cards, there is no head. */}
        <SelectPage rows={rows} selected={selected} onSelect={select}>
          {words.selectPage}
        </SelectPage>
        <table
          className="table"
          aria-label={words.title}
          aria-rowcount={rows.length + 1}
          aria-busy={rows === none || isOutdated}
          data-about-ends={isAboutEnds || undefined}
        >
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col" className="cell-check">
                <SelectPage rows={rows} selected={selected} onSelect={select}>
                  <span className="visually-hidden">{words.selectPage}</span>
                </SelectPage>
              </th>
              {visible.map(({ id, header }) => (
                <ColumnHead key={id} id={id} search={search} onSearch={onSearch}>
                  {header}
                </ColumnHead>
              ))}
            </tr>
          </thead>
          <tbody onKeyDown={moveBetweenRows}>
            {rows === none && <SkeletonRows />}
            {inSight.map(({ index, start }, place) => {
              const row = rows[index];
              if (row === undefined) return null;
              return (
                <Fragment key={row.id}>
                  <Spacer height={start - (inSight[place - 1]?.end ?? 0)} />
                  <AssignmentRow
                    row={row}
                    index={index}
                    isSelected={selected.has(row.id)}
                    isOpen={row.id === search.id}
                    columns={visible}
                    measure={virtualizer.measureElement}
                    onOpen={onOpen}
                    onEdit={!isOutdated && may(caller, "user.grant.write", row) ? edit : undefined}
                    onSelect={selectUpTo}
                  />
                </Fragment>
              );
            })}
            <Spacer height={virtualizer.getTotalSize() - (inSight.at(-1)?.end ?? 0)} />
          </tbody>
        </table>
      </div>
      {editing && (
        <Suspense>
          <EditRoles
            key={editing.row.id}
            shown={editing.row}
            opener={editing.opener}
            onClose={() => setEditing(undefined)}
          />
        </Suspense>
      )}
    </OwnerNames>
  );
}
