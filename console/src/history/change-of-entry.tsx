import "./event-change.css";
import type { AuthorizationEvent } from "@authorization-service/client";
import type { DirectoryEvent } from "@authorization-service/client/directory";
import { changeOf } from "./change.ts";
import { DifferenceLine } from "./difference-line.tsx";
import { directoryChangeOf } from "./differences.ts";
import { type Entry, isOfAssignment } from "./entry.ts";
import { Fact, restOf } from "./fact.tsx";
import type { Names } from "./names.ts";
import { RolesPart } from "./roles-part.tsx";

type Props = {
  entry: Entry;
  names: Names;
  /** Whether names lead to their pages. Otherwise the cells beside the line do. */
  hasLinks?: boolean;
};

/** What an event changed: a title or a sentence, and below it what that leaves out. */
export function ChangeOfEntry({ entry, names, hasLinks = false }: Props) {
  return (
    <div className="event-change">
      {isOfAssignment(entry) ? (
        <OfAssignment event={entry} names={names} />
      ) : (
        <OfDirectory event={entry} names={names} hasLinks={hasLinks} />
      )}
    </div>
  );
}

function OfAssignment({ event, names }: { event: AuthorizationEvent; names: Names }) {
  const { title, roles, notes } = changeOf(event, names.roleOf);
  return (
    <>
      <strong>{title}</strong>
      {roles.map((part) => (
        <RolesPart key={part.label} {...part} />
      ))}
      {notes.map((note) => (
        <span key={note} className="muted">
          {note}
        </span>
      ))}
    </>
  );
}

function OfDirectory({ event, names, hasLinks }: { event: DirectoryEvent; names: Names; hasLinks: boolean }) {
  const { effect } = directoryChangeOf(event);
  const rest = restOf(event, names);
  return (
    <>
      <strong>
        <Fact event={event} names={names} hasLinks={hasLinks} />
      </strong>
      {rest.length > 0 && (
        <dl className="differences-of-event">
          {rest.map((difference) => (
            <DifferenceLine key={difference.field} difference={difference} effect={effect} names={names} />
          ))}
        </dl>
      )}
    </>
  );
}
