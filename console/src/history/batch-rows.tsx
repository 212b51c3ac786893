import { ChevronDown, ChevronRight } from "lucide-react";
import { useState } from "react";
import type { Names } from "../directory-history/names.ts";
import { Moment } from "../parts/moment.tsx";
import { historyWords as words } from "../words/history.ts";
import { Actor } from "./actor.tsx";
import { titleOfType } from "./change.ts";
import { titleOf } from "./changed-thing.tsx";
import type { Entry } from "./entry.ts";
import { EntryRow } from "./entry-row.tsx";
import { keyOf } from "./keys.ts";
import type { Line } from "./lines.ts";
import { Reason } from "./reason.tsx";

/** How many rows are rendered at once. */
const atOnce = 100;

type Props = { line: Line; first: Entry; names: Names };

/** Everything that one request has changed: one row, which opens. */
export function BatchRows({ line: { entries, isCut }, first: { event }, names }: Props) {
  const [shown, setShown] = useState(0);
  const isOpen = shown > 0;
  const left = entries.length - shown;
  return (
    <>
      <tr data-batch>
        <td data-column="when">
          <Moment at={event.time} />
        </td>
        <td data-column="who">
          <Actor of={event} />
        </td>
        <td data-column="what" colSpan={5}>
          <ul className="batch-summary">
            {summaryOf(entries).map(([title, count]) => (
              <li key={title}>
                <strong>{title}</strong> {count > 1 && <span className="muted">{words.times(count)}</span>}
              </li>
            ))}
          </ul>
          <Reason of={event} />
          {isCut && <p className="muted">{words.isCut}</p>}
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setShown(isOpen ? 0 : Math.min(atOnce, entries.length))}
          >
            {isOpen ? <ChevronDown aria-hidden="true" /> : <ChevronRight aria-hidden="true" />}
            {(isOpen ? words.hide : words.show)(entries.length)}
          </button>
        </td>
      </tr>
      {entries.slice(0, shown).map((entry) => (
        <EntryRow key={keyOf(entry)} entry={entry} names={names} isMember />
      ))}
      {isOpen && left > 0 && (
        <tr data-member>
          <td data-column="more" colSpan={7}>
            <button type="button" onClick={() => setShown(Math.min(shown + atOnce, entries.length))}>
              {words.showMore(left)}
            </button>
          </td>
        </tr>
      )}
    </>
  );
}

/** What happened, and how often, in the order of time. */
function summaryOf(entries: readonly Entry[]): [title: string, count: number][] {
  const titles = entries.map((entry) => (entry.of === "assignment" ? titleOfType(entry.event) : titleOf(entry.event)));
  return [...Map.groupBy(titles.toReversed(), (title) => title)].map(([title, all]) => [title, all.length]);
}
