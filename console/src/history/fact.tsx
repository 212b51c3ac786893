import type { DirectoryThing } from "@authorization-service/client/directory";
import { createElement, Fragment, type ReactNode } from "react";
import { personName } from "../parts/links.tsx";
import { nameOf } from "../parts/role-chips.tsx";
import { directoryHistoryWords as words } from "../words/directory-history.ts";
import { historyWords } from "../words/history.ts";
import { type Change, changeOf, type Difference, type Field, isSame } from "./change.ts";
import { type Entry, isOfAssignment } from "./entry.ts";
import { fieldsText, isolated, partsOf, rolesText } from "./fact-parts.tsx";
import type { Names } from "./names.ts";

type Props = {
  entry: Entry;
  names: Names;
  /** Whether names lead to their pages. Otherwise the cells beside the line do. */
  hasLinks?: boolean;
};

/** What an event changed, in one line, such as "Made Carol Meier Owner of Acme". */
export function Fact({ entry, names, hasLinks = false }: Props) {
  // They are in fixed places, so they need no keys.
  return createElement(Fragment, undefined, ...factOf(entry, names, hasLinks).line);
}

/** What the line of an event doesn't say. */
export function restOf(entry: Entry, names: Names): Difference[] {
  const { effect, differences, said } = changeOf(entry);
  const known = [...said, ...factOf(entry, names, false).said];
  const isUnchanged = ({ before, after }: Difference) => effect === 1 && isSame(before, after);
  return differences.filter((difference) => !isUnchanged(difference) && !known.includes(difference.field));
}

/** The line, and the fields that it says. */
type Told = { readonly line: readonly ReactNode[]; readonly said: readonly Field[] };

type Thing = DirectoryThing["thing"];
type Sentence = "added" | "removed" | "changed" | "renamed" | "moved" | "erased";
type Sentences = { readonly [Name in Sentence]?: (parts: Parameters<typeof words.facts.user.added>[0]) => ReactNode[] };

/** The fields that name a thing, and what it is in or about. */
const naming: readonly Field[] = ["name", "displayName", "userId", "organizationId", "projectId", "scope"];

function factOf(entry: Entry, names: Names, hasLinks: boolean): Told {
  const change = changeOf(entry);
  const { effect, differences, places } = change;
  const { person, organization, project, place } = partsOf(names, hasLinks);
  const valuesOf = (field: Field) => differences.find((one) => one.field === field);
  const roles = rolesText(valuesOf("roles") ?? valuesOf("roleKeys"), effect === 1, names);
  const saidRoles: readonly Field[] = roles.isWhole ? ["roles", "roleKeys"] : [];
  const named = {
    person: person(places.user ?? ""),
    organization: organization(places.organization ?? ""),
    project: project(places.project ?? ""),
  };
  if (isOfAssignment(entry)) return { line: ofAssignment(change, named, roles.text), said: saidRoles };

  const thing = (entry.after ?? entry.before)?.thing;
  if (thing?.case === undefined) return { line: [], said: [] };
  const told: Sentences = words.facts[thing.case];
  const changed = differences.filter((one) => !isSame(one.before, one.after));
  const sentence = effect === 0 ? "added" : effect === 2 ? "removed" : sentenceOf(thing, changed, told);
  const [only] = changed;
  const [scope, origin] = [valuesOf("scope"), valuesOf("organizationId")?.before];
  const line = told[sentence]?.({
    ...named,
    name: thing.case === "user" ? person(thing.value.id, personName(thing.value)) : nameIn(thing),
    former: only?.before?.kind === "text" && isolated(only.before.text),
    origin: place(origin),
    place: place(scope?.after ?? scope?.before),
    roles: roles.text,
    // An erased person's other changes may have been of a name.
    fields: changed.length === 0 ? words.aName : fieldsText(changed),
  });
  const isUnnamed = thing.case === "projectRole" && thing.value.displayName === "";
  const said = [...(sentence === "changed" ? [] : naming), ...saidRoles, ...(isUnnamed ? (["key"] as const) : [])];
  return { line: line ?? [], said };
}

function ofAssignment({ title, effect }: Change, { person, project, organization }: Named, text: string) {
  const { with: given, held } = historyWords.change;
  const roles = effect === 1 ? text : historyWords.rolesOf(effect === 0 ? given : held, text);
  return historyWords.fact(title, person, project, organization, roles);
}

type Named = Readonly<Record<"person" | "project" | "organization", ReactNode>>;

/** Which of its sentences says what changed. */
function sentenceOf(thing: Thing, [only, ...others]: readonly Difference[], told: Sentences): Sentence {
  // An erasure takes the person out of the organization, too.
  if (thing.case === "user" && thing.value.organizationId === "") return "erased";
  const isName = only?.field === "name" || only?.field === "displayName";
  if (told.renamed && isName && others.length === 0 && only.before !== undefined) return "renamed";
  if (told.moved && only?.before?.kind === "organization" && others.length === 0) return "moved";
  return told.changed ? "changed" : "renamed";
}

function nameIn(thing: Thing): ReactNode {
  switch (thing.case) {
    case "organization":
    case "project":
      return isolated(thing.value.name);
    case "projectRole":
      return isolated(nameOf(thing.value));
    case "token":
      return isolated(words.theToken(thing.value.name));
    default:
      return undefined;
  }
}
