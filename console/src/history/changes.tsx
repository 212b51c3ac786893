import "./changes.css";
import type { User } from "@authorization-service/client";
import { useState } from "react";
import { Person } from "../directory/person.tsx";
import { CopyButton } from "../panel/copy-button.tsx";
import { Moment } from "../parts/moment.tsx";
import { useMore } from "../parts/use-more.tsx";
import { historyWords as words } from "../words/history.ts";
import { pageWords } from "../words/pages.ts";
import { changeOf } from "./change.ts";
import { type Entry, hasActor, keyOf } from "./entry.ts";
import { ChangeOfEntry, factOf } from "./fact.tsx";
import { type Names, useNames } from "./names.ts";
import type { Line } from "./use-history.ts";

/** How many changes of one kind a request tells each for itself. More are only counted. */
const mostFacts = 3;

type Props = {
  lines: readonly Line[];
  /** Whether all changes are of one assignment. */
  isOfOne?: boolean;
};

/** Changes, newest first, with the people who made them. */
export function Changes({ lines, isOfOne = false }: Props) {
  const names = useNames(lines.flatMap(({ entries }) => entries));
  return (
    <ol className="plain-list changes" aria-label={words.table}>
      {lines.map((line) => (
        <ChangesOfRequest key={keyOf(line.first)} line={line} names={names} isOfOne={isOfOne} />
      ))}
    </ol>
  );
}

/** What one request has changed. If that is more than one thing, the line opens. */
function ChangesOfRequest({ line, names, isOfOne }: { line: Line; names: Names; isOfOne: boolean }) {
  const { first, entries, isCut } = line;
  const isBatch = entries.length > 1 || isCut;
  const [isOpen, setOpen] = useState(false);
  const [shown, more] = useMore(isOpen ? entries : []);
  return (
    <li>
      <div className="change">
        {isBatch ? (
          <Summary entries={entries} names={names} />
        ) : (
          <ChangeOfEntry entry={first} names={names} isOfOne={isOfOne} />
        )}
        {first.reason !== "" && (
          <p>
            <span className="visually-hidden">{words.reason} </span>
            <q>{first.reason}</q>
          </p>
        )}
        {isCut && <p>{words.isCut}</p>}
        {isBatch && (
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {(isOpen ? words.hide : words.show)(entries.length)}
          </button>
        )}
      </div>
      <div className="line change-by">
        {hasActor(first) && <Actor actor={first.actor} />}
        <span className="muted">
          <Moment at={first.time} />
        </span>
      </div>
      {isOpen && (
        <ol className="plain-list">
          {shown.map((entry) => (
            <li key={keyOf(entry)}>
              <div className="change">
                <ChangeOfEntry entry={entry} names={names} />
              </div>
            </li>
          ))}
        </ol>
      )}
      {more}
    </li>
  );
}

/** What happened in a request, in the order of time. */
function Summary({ entries, names }: { entries: readonly Entry[]; names: Names }) {
  const groups = [...Map.groupBy(entries.toReversed(), (entry) => changeOf(entry).title)];
  return (
    <ul className="lines">
      {groups.flatMap(([title, all]) =>
        all.length > mostFacts ? (
          <li key={title}>
            {title} <span className="muted">{words.times(all.length)}</span>
          </li>
        ) : (
          all.map((entry) => <li key={keyOf(entry)}>{factOf({ entry, names }).sentence}</li>)
        ),
      )}
    </ul>
  );
}

/** The acting user, or the command line. */
export function Actor({ actor }: { actor: User | undefined }) {
  if (actor === undefined) return <span>{words.commandLine}</span>;
  const { id, displayName, preferredLoginName } = actor;
  // Of a removed user, the service has only the id, and says it as the display name until the user is erased.
  const isRemoved = preferredLoginName === "" && (displayName === "" || displayName === id);
  if (!isRemoved) return <Person user={actor} />;
  return (
    <span>
      {displayName === "" ? pageWords.erasedPerson : words.removedPerson}{" "}
      <CopyButton text={id} what={words.idOfPerson} />
    </span>
  );
}
