import { ChevronDown, ChevronRight } from "lucide-react";
import { useState } from "react";
import { Moment } from "../parts/moment.tsx";
import { historyWords as words } from "../words/history.ts";
import { Actor } from "./actor.tsx";
import { changeOf } from "./change.ts";
import { type Entry, keyOf } from "./entry.ts";
import { EntryRow } from "./entry-row.tsx";
import { Fact } from "./fact.tsx";
import type { Line } from "./lines.ts";
import type { Names } from "./names.ts";
import { Reason } from "./reason.tsx";

/** How many rows are rendered at once. */
const atOnce = 100;

/** How many changes of one kind are told each for itself. More are only counted. */
const mostFacts = 3;

type Props = { line: Line; first: Entry; names: Names };

/** Everything that one request has changed: one row, which opens. */
export function BatchRows({ line: { entries, isCut }, first, names }: Props) {
  const [shown, setShown] = useState(0);
  const isOpen = shown > 0;
  const left = entries.length - shown;
  return (
    <>
      <tr data-batch>
        <td data-column="when">
          <Moment at={first.time} />
        </td>
        <td data-column="who">
          <Actor of={first} />
        </td>
        <td data-column="what" colSpan={5}>
          <ul className="lines">
            {summaryOf(entries).flatMap(([title, all]) =>
              all.length > mostFacts ? (
                <li key={title}>
                  <strong>{title}</strong> <span className="muted">{words.times(all.length)}</span>
                </li>
              ) : (
                all.map((entry) => (
                  <li key={keyOf(entry)}>
                    <strong>
                      <Fact entry={entry} names={names} />
                    </strong>
                  </li>
                ))
              ),
            )}
          </ul>
          <Reason of={first} />
          {isCut && <div className="muted">{words.isCut}</div>}
          <button
            type="button"
            className="plain unfold"
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

/** What happened, in the order of time. */
function summaryOf(entries: readonly Entry[]): [title: string, all: Entry[]][] {
  return [...Map.groupBy(entries.toReversed(), (entry) => changeOf(entry).title)];
}
