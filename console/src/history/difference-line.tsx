import "./event-change.css";
import { Moment } from "../parts/moment.tsx";
import { directoryHistoryWords as words } from "../words/directory-history.ts";
import { type Difference, type Effect, isSame, type Value } from "./change.ts";
import { isolated, partsOf } from "./fact-parts.tsx";
import type { Names } from "./names.ts";
import { RolesParts } from "./roles-part.tsx";

/** One field of a changed thing: before and after, or only one of them if it is the same or there is no other. */
export function DifferenceLine(props: { difference: Difference; effect: Effect; names: Names }) {
  const { difference, effect, names } = props;
  const { field, before, after } = difference;
  const isRoles = (before ?? after)?.kind === "roles";
  return (
    <div className="fact">
      <dt>{words.fields[field]}</dt>
      <dd>
        {isRoles ? (
          <RolesParts difference={difference} effect={effect} names={names} />
        ) : effect === 1 && !isSame(before, after) ? (
          <>
            <span className="visually-hidden">{words.before} </span>
            <Shown value={before} names={names} /> <span aria-hidden="true">{words.becomes}</span>{" "}
            <span className="visually-hidden">{words.after} </span>
            <Shown value={after} names={names} />
          </>
        ) : (
          <Shown value={after ?? before} names={names} />
        )}
      </dd>
    </div>
  );
}

function Shown({ value, names }: { value: Value | undefined; names: Names }) {
  const { person, place } = partsOf(names, true);
  switch (value?.kind) {
    case undefined:
      return <span className="muted">{words.nothing}</span>;
    case "text":
      return isolated(value.text);
    case "moment":
      return <Moment at={value.at} />;
    case "user":
      return person(value.id);
    default:
      return place(value);
  }
}
