import type { DirectoryThing } from "@authorization-service/client/directory";
import { Link } from "@tanstack/react-router";
import { createElement, type ReactNode } from "react";
import { Facts } from "../parts/facts.tsx";
import { OrganizationLink, PersonLink, ProjectLink, RoleLink } from "../parts/links.tsx";
import { Moment } from "../parts/moment.tsx";
import { nameOf } from "../parts/role-chips.tsx";
import { directoryHistoryWords as words } from "../words/directory-history.ts";
import { historyWords } from "../words/history.ts";
import { locale } from "../words/language/language.ts";
import { type Change, changeOf, type Difference, type Field, isChanged, onlyIn, type Value } from "./change.ts";
import { type Entry, isOfAssignment } from "./entry.ts";
import type { Names } from "./names.ts";

type Props = {
  entry: Entry;
  names: Names;
  /** Whether everything around it is about the same assignment, so that its sentence needs no names. */
  isOfOne?: boolean;
};

/** What an event changed: a sentence, such as "Made Carol Meier Owner of Acme", and below it what that leaves out. */
export function ChangeOfEntry(props: Props) {
  const { sentence, rest } = factOf(props);
  return (
    <>
      {sentence}
      {rest.length > 0 && <Differences differences={rest} effect={changeOf(props.entry).effect} names={props.names} />}
    </>
  );
}

type Thing = DirectoryThing["thing"];
type Sentence = "added" | "removed" | "changed" | "renamed" | "moved" | "erased";
type Sentences = { readonly [Name in Sentence]?: (parts: Parameters<typeof words.facts.user.added>[0]) => ReactNode[] };

/** The fields that name a thing, and what it is in or about. */
const naming: readonly Field[] = ["name", "displayName", "userId", "organizationId", "projectId", "scope"];

/** The most roles in a sentence. */
const most = 5;

/** The sentence about an event, and what it doesn't say. */
export function factOf({ entry, names, isOfOne }: Props) {
  const { title, effect, differences, places, said: saidByTitle } = changeOf(entry);
  const changed = differences.filter(isChanged);
  const fact = (line: readonly ReactNode[], said: readonly Field[]) => ({
    // Its parts are in fixed places, so they need no keys.
    sentence: createElement("div", { className: "fact" }, ...line),
    rest: changed.filter(({ field }) => !said.includes(field) && !saidByTitle.includes(field)),
  });
  const fieldOf = (field: Field) => differences.find((one) => one.field === field);
  const show = (value: Value | undefined) => <Shown value={value} names={names} />;
  const given = fieldOf("roles") ?? fieldOf("roleKeys") ?? { before: undefined, after: undefined };
  const roles = rolesText(given, effect, names, most);
  const isWhole = roles === rolesText(given, effect, names);
  const saidRoles: readonly Field[] = isWhole ? ["roles", "roleKeys"] : [];
  const named = {
    person: show({ kind: "user", id: places.user ?? "" }),
    organization: show({ kind: "organization", id: places.organization ?? "" }),
    project: show({ kind: "project", id: places.project ?? "" }),
  };
  if (isOfAssignment(entry)) {
    const { with: got, held } = historyWords.change;
    const text = effect === 1 ? roles : historyWords.rolesOf(effect === 0 ? got : held, roles);
    if (isOfOne) return fact([title, text && ` (${text})`], saidRoles);
    const way = (
      <Link to="/assignments" search={{ id: entry.authorizationId }}>
        {title}
      </Link>
    );
    return fact(historyWords.fact(way, named.person, named.project, named.organization, text), saidRoles);
  }

  const thing = (entry.after ?? entry.before)?.thing;
  if (thing?.case === undefined) return fact([], []);
  const told: Sentences = words.facts[thing.case];
  const sentence = effect === 0 ? "added" : effect === 2 ? "removed" : sentenceOf(thing, changed, told);
  const scope = fieldOf("scope");
  const line = told[sentence]?.({
    ...named,
    name: <NameOf thing={thing} effect={effect} />,
    former: show(changed[0]?.before),
    origin: show(fieldOf("organizationId")?.before),
    place: show(scope?.after ?? scope?.before),
    roles,
    // An erased person's other changes may have been of a name.
    fields:
      changed.length === 0 ? words.aName : listOf(changed.map(({ field }) => words.theField(words.fields[field]))),
  });
  const isUnnamed = thing.case === "projectRole" && thing.value.displayName === "";
  const said = [...(sentence === "changed" ? [] : naming), ...saidRoles, ...(isUnnamed ? (["key"] as const) : [])];
  return fact(line ?? [], said);
}

/** Which of its sentences says what changed. */
function sentenceOf(thing: Thing, [only, ...others]: readonly Difference[], told: Sentences): Sentence {
  // An erasure takes the person out of the organization, too.
  if (thing.case === "user" && thing.value.organizationId === "") return "erased";
  const isName = only?.field === "name" || only?.field === "displayName";
  if (told.renamed && isName && others.length === 0 && only.before !== undefined) return "renamed";
  if (told.moved && only?.before?.kind === "organization" && others.length === 0) return "moved";
  return told.changed ? "changed" : "renamed";
}

/** The thing itself, by the name that it had then. What was removed has a page, too, but a role. */
function NameOf({ thing, effect }: { thing: Thing; effect: Change["effect"] }) {
  switch (thing.case) {
    case "user":
      return <PersonLink user={thing.value} />;
    case "organization":
      return <OrganizationLink organization={thing.value} />;
    case "project":
      return <ProjectLink project={thing.value} />;
    case "projectRole":
      if (effect === 2) return <bdi>{nameOf(thing.value)}</bdi>;
      return <RoleLink projectId={thing.value.projectId} role={thing.value} />;
    case "token":
      return <bdi>{words.theToken(thing.value.name)}</bdi>;
    default:
      return null;
  }
}

/** Fields of a changed thing: before and after, or only one of them if it is the same or there is no other. */
export function Differences({ differences, effect, names }: Pick<Change, "differences" | "effect"> & { names: Names }) {
  const shown = differences.map((one) => [words.fields[one.field], shownOf(one, effect, names)]);
  return <Facts facts={Object.fromEntries(shown)} />;
}

function shownOf(difference: Difference, effect: Change["effect"], names: Names) {
  const { before, after } = difference;
  const value = after ?? before;
  const none = difference.field === "expirationDate" ? words.never : words.nothing;
  if (effect !== 1 || !isChanged(difference)) return <Shown value={value} names={names} />;
  if (value?.kind === "roles") return rolesText(difference, effect, names);
  return (
    <>
      <span className="visually-hidden">{words.before} </span>
      {before ? <Shown value={before} names={names} /> : none} <span aria-hidden="true">{words.becomes}</span>{" "}
      <span className="visually-hidden">{words.after} </span>
      {after ? <Shown value={after} names={names} /> : none}
    </>
  );
}

/** A value by its name, as far as the reader may know it. */
function Shown({ value, names }: { value: Value | undefined; names: Names }) {
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
function listOf(names: readonly string[], most = names.length): string {
  const hidden = names.length - most;
  return list.format(hidden > 0 ? [...names.slice(0, most), words.andMore(hidden)] : names);
}

/** The roles that an event gave and took, by name: at most so many of each. */
function rolesText({ before, after }: Partial<Difference>, effect: Change["effect"], names: Names, most?: number) {
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
