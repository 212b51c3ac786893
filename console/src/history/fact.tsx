import type { DirectoryEvent, DirectoryThing } from "@authorization-service/client/directory";
import { createElement, Fragment, type ReactNode } from "react";
import { personName } from "../parts/links.tsx";
import { nameOf } from "../parts/role-chips.tsx";
import { directoryHistoryWords as words } from "../words/directory-history.ts";
import { type Difference, directoryChangeOf, type Field, isSame } from "./differences.ts";
import { fieldsText, isolated, type Parts, partsOf, rolesText } from "./fact-parts.tsx";
import type { Names } from "./names.ts";

type Props = {
  event: DirectoryEvent;
  names: Names;
  /** Whether names lead to their pages. Otherwise the cells beside the line do. */
  hasLinks?: boolean;
};

/** What an event changed, in one line, such as "Made Carol Meier Owner of Acme". */
export function Fact({ event, names, hasLinks = false }: Props) {
  // They are in fixed places, so they need no keys.
  return createElement(Fragment, undefined, ...factOf(event, names, hasLinks).line);
}

/** What the line of an event doesn't say. */
export function restOf(event: DirectoryEvent, names: Names): Difference[] {
  const { effect, differences } = directoryChangeOf(event);
  const { said } = factOf(event, names, false);
  const isUnchanged = ({ before, after }: Difference) => effect === 1 && isSame(before, after);
  return differences.filter((difference) => !isUnchanged(difference) && !said.includes(difference.field));
}

/** The line, and the fields that it says. */
type Told = { readonly line: readonly ReactNode[]; readonly said: readonly Field[] };

type Thing<Kind> = Extract<DirectoryThing["thing"], { case: Kind }>["value"];

type Event = {
  readonly effect: "added" | "changed" | "removed";
  readonly differences: readonly Difference[];
  /** What differs. */
  readonly changed: readonly Difference[];
  /** The old name of what a change only renamed. */
  readonly formerName: ReactNode;
  readonly parts: Parts;
  readonly names: Names;
};

const effects = ["added", "changed", "removed"] as const;
const { facts } = words;

function factOf({ before, after }: DirectoryEvent, names: Names, hasLinks: boolean): Told {
  const { effect, differences } = directoryChangeOf({ before, after } as DirectoryEvent);
  const changed = differences.filter((one) => !isSame(one.before, one.after));
  const event = {
    ...{ effect: effects[effect], differences, changed, names },
    formerName: effect === 1 ? formerNameOf(changed) : undefined,
    parts: partsOf(names, hasLinks),
  };
  const thing = (after ?? before)?.thing;
  switch (thing?.case) {
    case "organization":
      return ofOrganization(thing.value, event);
    case "user":
      return ofPerson(thing.value, event);
    case "project":
      return ofProject(thing.value, event);
    case "projectRole":
      return ofRole(thing.value, event);
    case "projectGrant":
      return ofGrant(thing.value, event);
    case "administrator":
      return ofAdministrator(thing.value, event);
    case "token":
      return ofToken(thing.value, event);
    default:
      return { line: [], said: [] };
  }
}

function formerNameOf(changed: readonly Difference[]): ReactNode {
  const [only, ...others] = changed;
  const isName = only?.field === "name" || only?.field === "displayName";
  return isName && others.length === 0 && only.before?.kind === "text" ? isolated(only.before.text) : undefined;
}

function ofOrganization({ name }: Thing<"organization">, { effect, formerName }: Event): Told {
  const told = facts.organization;
  return {
    line: effect === "changed" ? told.renamed(formerName, isolated(name)) : told[effect](isolated(name)),
    said: ["name"],
  };
}

function ofPerson(user: Thing<"user">, { effect, changed, formerName, parts }: Event): Told {
  const name = parts.person(user.id, personName(user));
  const organization = parts.organization(user.organizationId);
  const said: Field[] = ["displayName", "organizationId"];
  if (effect !== "changed") return { line: facts.user[effect](name, organization), said };
  // An erasure takes the person out of the organization, too. An erased person's other changes may have been of a name.
  if (user.organizationId === "") return { line: facts.user.erased, said };
  if (changed.length === 0) return { line: facts.user.changed(words.aName, name), said };
  if (formerName) return { line: facts.user.renamed(formerName, name), said };
  const [only, ...others] = changed;
  if (only?.before?.kind === "organization" && others.length === 0) {
    return { line: facts.user.moved(name, parts.organization(only.before.id), organization), said };
  }
  return { line: facts.user.changed(fieldsText(changed), name), said: [] };
}

function ofProject({ name, organizationId }: Thing<"project">, { effect, formerName, parts }: Event): Told {
  const told = facts.project;
  const owner = parts.organization(organizationId);
  return {
    line: effect === "changed" ? told.renamed(formerName, isolated(name)) : told[effect](isolated(name), owner),
    said: ["name", "organizationId"],
  };
}

function ofRole(role: Thing<"projectRole">, { effect, changed, formerName, parts }: Event): Told {
  const project = parts.project(role.projectId);
  const name = isolated(nameOf(role));
  const said: Field[] = ["displayName", "projectId", ...(role.displayName === "" ? (["key"] as const) : [])];
  if (effect !== "changed") return { line: facts.projectRole[effect](name, project), said };
  if (formerName) return { line: facts.projectRole.renamed(formerName, name, project), said };
  return { line: facts.projectRole.changed(fieldsText(changed), name, project), said: ["projectId"] };
}

function ofGrant({ projectId, organizationId }: Thing<"projectGrant">, event: Event): Told {
  const { effect, parts } = event;
  const roles = rolesOf(event, "roleKeys");
  return {
    line: facts.projectGrant[effect](parts.project(projectId), parts.organization(organizationId), roles.text),
    said: ["projectId", "organizationId", ...(roles.isWhole ? (["roleKeys"] as const) : [])],
  };
}

function ofAdministrator({ userId }: Thing<"administrator">, event: Event): Told {
  const { effect, differences, parts } = event;
  const scope = differences.find(({ field }) => field === "scope");
  const roles = rolesOf(event, "roles");
  return {
    line: facts.administrator[effect](parts.person(userId), parts.place(scope?.after ?? scope?.before), roles.text),
    said: ["userId", "scope", ...(roles.isWhole ? (["roles"] as const) : [])],
  };
}

function ofToken({ name, userId }: Thing<"token">, { effect, parts }: Event): Told {
  return { line: facts.token[effect](isolated(words.theToken(name)), parts.person(userId)), said: ["name", "userId"] };
}

function rolesOf({ differences, effect, names }: Event, field: "roles" | "roleKeys") {
  const difference = differences.find((one) => one.field === field);
  return rolesText(difference ?? { before: undefined, after: undefined }, effect === "changed", names);
}
