import "./event-change.css";
import { OrganizationLink, PersonLink, ProjectLink } from "../parts/links.tsx";
import { Moment } from "../parts/moment.tsx";
import { directoryHistoryWords as words } from "../words/directory-history.ts";
import { historyWords } from "../words/history.ts";
import { type Difference, type Effect, isSame, onlyIn, type Value } from "./differences.ts";
import type { Names } from "./names.ts";
import { RolesPart } from "./roles-part.tsx";

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
          <Roles difference={difference} effect={effect} names={names} />
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

/** Lists of roles can be long, so only what a change gave or took is shown. */
function Roles({ difference: { before, after }, effect, names }: Parameters<typeof DifferenceLine>[0]) {
  const { added, removed, with: given, held } = historyWords.change;
  const parts = [
    { label: effect === 1 ? added : given, keys: onlyIn(after, before), of: after },
    { label: effect === 1 ? removed : held, keys: onlyIn(before, after), of: before },
  ];
  return parts
    .filter(({ keys }) => keys.length > 0)
    .map(({ label, keys, of }) => (
      <RolesPart
        key={label}
        label={label}
        roles={keys.map((key) => names.roleOf(of?.kind === "roles" ? of.projectId : undefined, key))}
      />
    ));
}

function Shown({ value, names }: { value: Value | undefined; names: Names }) {
  switch (value?.kind) {
    case "text":
      return <bdi>{value.text}</bdi>;
    case "moment":
      return <Moment at={value.at} />;
    case "user": {
      const user = names.userOf(value.id);
      return user ? <PersonLink user={user} /> : <span className="muted">{words.someone}</span>;
    }
    case "organization":
      return <OrganizationLink organization={names.organizationOf(value.id)} />;
    case "project":
      return <ProjectLink project={names.projectOf(value.id)} />;
    case "instance":
      return words.everything;
    case "grant":
      return words.grant;
    default:
      return <span className="muted">{words.nothing}</span>;
  }
}
