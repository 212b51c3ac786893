import { useMemo, useRef } from "react";
import { Skeleton } from "../directory/page.tsx";
import { useScrollToTop } from "../parts/use-scroll-to-top.ts";
import { historyWords as words } from "../words/history.ts";
import { BatchRows } from "./batch-rows.tsx";
import { keyOf } from "./entry.ts";
import { EntryRow } from "./entry-row.tsx";
import type { Line } from "./lines.ts";
import { useNames } from "./names.ts";

type Props = {
  /** Undefined while the first page is loading. */
  lines: readonly Line[] | undefined;
  /** Identifies the list. */
  list: string;
  /** Whether the rows belong to the previous page, while the next one is loading. */
  isOutdated: boolean;
};

const { more, ...heads } = words.columns;
const columns = Object.entries(heads);

/** A page of changes. What one request has changed is one row, which opens. */
export function HistoryTable({ lines, list, isOutdated }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  useScrollToTop(scroller, list, isOutdated);
  const entries = useMemo(() => (lines ?? []).flatMap((line) => line.entries), [lines]);
  const names = useNames(entries);
  return (
    <div ref={scroller} className="scroller" data-outdated={isOutdated || undefined}>
      <table className="events" aria-label={words.table} aria-busy={lines === undefined || isOutdated}>
        <thead>
          <tr>
            {columns.map(([column, head]) => (
              <th key={column} scope="col">
                {head}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">{more}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines?.map((line) => {
            const [first] = line.entries;
            if (first === undefined) return null;
            return line.entries.length === 1 && !line.isCut ? (
              <EntryRow key={keyOf(first)} entry={first} names={names} />
            ) : (
              <BatchRows key={keyOf(first)} line={line} first={first} names={names} />
            );
          })}
        </tbody>
      </table>
      {lines === undefined && <Skeleton rows={12} columns={4} />}
    </div>
  );
}
