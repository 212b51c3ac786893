import { Facts } from "../parts/facts.tsx";
import { OrganizationLink, PersonLink, ProjectLink } from "../parts/links.tsx";
import { Moment } from "../parts/moment.tsx";
import { nameOf } from "../parts/role-chips.tsx";
import { directoryHistoryWords as words } from "../words/directory-history.ts";
import { locale } from "../words/language/language.ts";
import { type Change, type Difference, isChanged, onlyIn, type Value } from "./change.ts";
import type { Names } from "./names.ts";

type Props = Pick<Change, "differences" | "effect"> & { names: Names };

/** Fields of a changed thing: before and after, or only one of them if it is the same or there is no other. */
export function Differences({ differences, effect, names }: Props) {
  const shown = differences.map((one) => [words.fields[one.field], shownOf(one, effect, names)]);
  return <Facts facts={Object.fromEntries(shown)} />;
}

function shownOf(difference: Difference, effect: Change["effect"], names: Names) {
  const { before, after } = difference;
  const value = after ?? before;
  if (effect !== 1 || !isChanged(difference)) return <Shown value={value} names={names} />;
  if (value?.kind === "roles") return rolesText(difference, effect, names);
  return (
    <>
      <span className="visually-hidden">{words.before} </span>
      <Shown value={before} names={names} /> <span aria-hidden="true">{words.becomes}</span>{" "}
      <span className="visually-hidden">{words.after} </span>
      <Shown value={after} names={names} />
    </>
  );
}

/** A value by its name, as far as the reader may know it. */
export function Shown({ value, names }: { value: Value | undefined; names: Names }) {
  switch (value?.kind) {
    case "text":
      return <bdi>{value.text}</bdi>;
    case "moment":
      return <Moment at={value.at} />;
    case "user": {
      const user = names.userOf(value.id);
      return user ? <PersonLink user={user} /> : <bdi>{words.someone}</bdi>;
    }
    case "organization":
      return <OrganizationLink organization={names.organizationOf(value.id)} />;
    case "project":
      return <ProjectLink project={names.projectOf(value.id)} />;
    case "roles":
      return listOf(value.keys.map((key) => nameOf(names.roleOf(value.projectId, key))));
    default:
      return <span className="muted">{words.nothing}</span>;
  }
}

const list = new Intl.ListFormat(locale, { type: "conjunction" });

/** Such as "A, B, and 3 more". */
export function listOf(names: readonly string[], most = names.length): string {
  const hidden = names.length - most;
  return list.format(hidden > 0 ? [...names.slice(0, most), words.andMore(hidden)] : names);
}

/** The roles that an event gave and took, by name: at most so many of each. */
export function rolesText(
  { before, after }: Partial<Difference>,
  effect: Change["effect"],
  names: Names,
  most?: number,
) {
  const of = after ?? before;
  const projectId = of?.kind === "roles" ? of.projectId : undefined;
  const [given, taken] = [onlyIn(after, before), onlyIn(before, after)].map((keys) =>
    listOf(
      keys.map((key) => nameOf(names.roleOf(projectId, key))),
      most,
    ),
  );
  if (effect !== 1) return given || taken || words.noRoles;
  return [given && words.rolesAdded(given), taken && words.rolesRemoved(taken)].filter(Boolean).join("; ");
}
