import type { Authorization } from "@authorization-service/client";
import { useVirtualizer } from "@tanstack/react-virtual";
import {
  Fragment,
  lazy,
  type RefObject,
  Suspense,
  useCallback,
  useDeferredValue,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useCaller } from "../caller.ts";
import { Skeleton } from "../directory/page.tsx";
import { may } from "../directory/rights.ts";
import { type Selection, SelectPage } from "../parts/selection.tsx";
import { assignmentWords as words } from "../words/assignments.ts";
import { AssignmentRow } from "./assignment-row.tsx";
import { ColumnHead } from "./column-head.tsx";
import { columns } from "./columns.tsx";
import { moveBetweenRows, withFocusedRow } from "./row-focus.ts";
import type { AssignmentsSearch } from "./search.ts";
import { Spacer } from "./spacer.tsx";

const EditRoles = lazy(async () => ({ default: (await import("../changes/edit-roles.tsx")).EditRoles }));

type Props = {
  /** Undefined while the first page is loading. */
  rows: Authorization[] | undefined;
  search: AssignmentsSearch;
  /** Whether the rows belong to the previous list, while the next one is loading. */
  isOutdated: boolean;
  selection: Selection<Authorization>;
  onOpen: (id: string) => void;
  onSearch: (search: AssignmentsSearch) => void;
};

const none: Authorization[] = [];
/** Beside a panel there is only room for the columns that distinguish assignments. The panel has the dates. */
const leftToPanel = ["ends", "created", "changed"];
/** The height of a row with two lines, in pixels. Higher rows are measured. */
const usualHeight = 53;

/** A page of assignments. Only visible rows are in the document, however long the page is. */
export function AssignmentsTable({ rows: given = none, search, selection, onOpen, onSearch, ...props }: Props) {
  // New rows are rendered in short steps, so the page reacts in between.
  const answer = useMemo(() => ({ rows: given, isOutdated: props.isOutdated }), [given, props.isOutdated]);
  const { rows, ...deferred } = useDeferredValue(answer);
  const isOutdated = props.isOutdated || deferred.isOutdated;
  const scroller = useRef<HTMLDivElement>(null);
  const isBesidePanel = search.id !== undefined;
  const visible = useMemo(() => {
    const hidden = [...(search.hidden ?? []), ...(isBesidePanel ? leftToPanel : [])];
    return columns.filter(({ id }) => id === "user" || !hidden.includes(id));
  }, [search.hidden, isBesidePanel]);
  const hasEnds = search.sort === "ends" || rows.some(({ expirationDate }) => expirationDate !== undefined);
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

  const caller = useCaller();
  const [editing, setEditing] = useState<{ row: Authorization; opener: HTMLElement }>();
  const edit = useCallback((row: Authorization, opener: HTMLElement) => setEditing({ row, opener }), []);

  return (
    <>
      <div ref={scroller} className="scroller" data-outdated={isOutdated || undefined}>
        <table
          className="things table"
          aria-label={words.title}
          aria-rowcount={rows.length + 1}
          aria-busy={rows === none || isOutdated}
          data-has-ends={hasEnds || undefined}
        >
          <thead>
            <tr aria-rowindex={1}>
              <SelectPage selection={selection} label={words.selectPage} />
              {visible.map(({ id }) => (
                <ColumnHead key={id} id={id} search={search} onSearch={onSearch}>
                  {id === "user" ? words.user : words.columns[id]}
                </ColumnHead>
              ))}
            </tr>
          </thead>
          <tbody onKeyDown={moveBetweenRows}>
            {inSight.map(({ index, start }, place) => {
              const row = rows[index];
              if (row === undefined) return null;
              return (
                <Fragment key={row.id}>
                  <Spacer height={start - (inSight[place - 1]?.end ?? 0)} />
                  <AssignmentRow
                    row={row}
                    index={index}
                    isSelected={selection.selected.has(row.id)}
                    isOpen={row.id === search.id}
                    columns={visible}
                    measure={virtualizer.measureElement}
                    onOpen={onOpen}
                    onEdit={!isOutdated && may(caller, "user.grant.write", row) ? edit : undefined}
                    onSelectUpTo={selection.onSelectUpTo}
                  />
                </Fragment>
              );
            })}
            <Spacer height={virtualizer.getTotalSize() - (inSight.at(-1)?.end ?? 0)} />
          </tbody>
        </table>
        {rows === none && <Skeleton rows={12} columns={5} />}
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
    </>
  );
}

/**
 * Scrolls to the top when another list is shown, for example the next page. `list` identifies the list. While its rows
 * are loading, those of the previous list stay where they are.
 */
export function useScrollToTop(scroller: RefObject<HTMLElement | null>, list: string, isOutdated: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is what there is to react to.
  useLayoutEffect(() => {
    if (!isOutdated && scroller.current) scroller.current.scrollTop = 0;
  }, [scroller, list, isOutdated]);
}
