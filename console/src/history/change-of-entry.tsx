import "./event-change.css";
import { changeOf } from "./change.ts";
import { DifferenceLine } from "./difference-line.tsx";
import { type Entry, isOfAssignment } from "./entry.ts";
import { Fact, restOf } from "./fact.tsx";
import type { Names } from "./names.ts";
import { RolesParts } from "./roles-part.tsx";

type Props = {
  entry: Entry;
  names: Names;
  /** Whether names lead to their pages. Otherwise the cells beside the line do. */
  hasLinks?: boolean;
};

/** What an event changed: a sentence, and below it what that leaves out. */
export function ChangeOfEntry({ entry, names, hasLinks = false }: Props) {
  const { title, effect, differences } = changeOf(entry);
  // What is beside an assignment says whose it is and where, so a title and the roles are enough.
  const isShort = isOfAssignment(entry) && !hasLinks;
  const roles = isShort && differences.find(({ field }) => field === "roles");
  const rest = restOf(entry, names).filter(({ field }) => !isShort || field !== "roles");
  return (
    <div className="event-change">
      <strong>{isShort ? title : <Fact entry={entry} names={names} hasLinks={hasLinks} />}</strong>
      {roles && <RolesParts difference={roles} effect={effect} names={names} />}
      {rest.length > 0 && (
        <dl className="differences-of-event">
          {rest.map((difference) => (
            <DifferenceLine key={difference.field} difference={difference} effect={effect} names={names} />
          ))}
        </dl>
      )}
    </div>
  );
}
