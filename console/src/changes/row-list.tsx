import type { Authorization } from "@authorization-service/client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { placeName, userName } from "./assignment-name.ts";

export type ListedRow = {
  readonly row: Authorization;
  readonly text?: string;
  readonly isBad?: boolean;
};

/** The height of a row with two lines, in pixels. */
const usualHeight = 44;

/** Assignments by name and place, each with a remark. Only the visible ones are in the document. */
export function RowList({ label, rows }: { label: string; rows: readonly ListedRow[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => usualHeight,
    getItemKey: (index) => rows[index]?.row.id ?? index,
    overscan: 8,
    initialRect: { width: 500, height: 400 },
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
    <section ref={scroller} className="row-list" aria-label={label} tabIndex={0}>
      <ul style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const listed = rows[index];
          if (listed === undefined) return null;
          const { row, text, isBad } = listed;
          return (
            <li
              key={row.id}
              ref={virtualizer.measureElement}
              data-index={index}
              data-bad={isBad || undefined}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start}px)` }}
            >
              <span>
                <bdi>{userName(row)}</bdi> <span className="muted">{placeName(row)}</span>
              </span>
              {text && <span className="row-outcome">{text}</span>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
