import type { ListedProject, Organization, User } from "@authorization-service/client/directory";
import { projects, users } from "../directory/look-ups.ts";
import { useOrganizations } from "../directory/organization-names.ts";
import { administratorRole } from "../words/administrator-roles.ts";
import { type NamedRole, projectWithTaken } from "./change.ts";
import { directoryChangeOf } from "./differences.ts";
import { type Entry, isOfAssignment } from "./entry.ts";
import { asListed, useRemoved } from "./removals.ts";

/** The things that events name by id, as far as the reader may know them. */
export type Names = {
  readonly userOf: (id: string) => User | undefined;
  readonly organizationOf: (id: string) => Organization | undefined;
  readonly projectOf: (id: string) => ListedProject | undefined;
  /** A role of a project, or of administrators. Without a known name, the key says which one it is. */
  readonly roleOf: (projectId: string | undefined, key: string) => NamedRole;
};

/** The ids in events that have no names with them. */
export type Unnamed = { readonly users: string[]; readonly projects: string[]; readonly organizations: string[] };

export function unnamedIn(entries: readonly Entry[]): Unnamed {
  const named = { user: new Set<string>(), project: new Set<string>(), organization: new Set<string>() };
  for (const entry of entries) {
    if (isOfAssignment(entry)) {
      named.project.add(projectWithTaken(entry));
      continue;
    }
    const { differences, places } = directoryChangeOf(entry);
    for (const value of differences.flatMap(({ before, after }) => [before, after])) {
      if (value?.kind === "roles") named.project.add(value.projectId ?? "");
      else if (value && "id" in value) named[value.kind].add(value.id);
    }
    // The places of a thing that doesn't move are shown, too, though they are no differences.
    for (const place of ["user", "project", "organization"] as const) named[place].add(places[place] ?? "");
  }
  const sorted = (ids: ReadonlySet<string>) => [...ids].filter(Boolean).sort();
  return { users: sorted(named.user), projects: sorted(named.project), organizations: sorted(named.organization) };
}

type Found = {
  readonly users: readonly User[];
  readonly projects: readonly ListedProject[];
  readonly organizationOf: Names["organizationOf"];
};

/** Events have names, too. So what is gone has one here if one of the events is about it. */
export function namesOf(found: Found, entries: readonly Entry[]): Names {
  const roles = new Map<string, NamedRole>();
  const gone = { users: [] as User[], projects: [] as ListedProject[], organizations: [] as Organization[] };
  for (const entry of entries.toReversed()) {
    if (isOfAssignment(entry)) {
      nameRoles(roles, entry.project?.id, entry.roles);
      continue;
    }
    const thing = (entry.after ?? entry.before)?.thing;
    if (thing?.case === "projectRole") nameRoles(roles, thing.value.projectId, [thing.value]);
    if (thing?.case === "user") gone.users.push(thing.value);
    if (thing?.case === "project") gone.projects.push(asListed(thing.value));
    if (thing?.case === "organization") gone.organizations.push(thing.value);
  }
  const users = byId(gone.users, found.users);
  const projects = byId(gone.projects, found.projects);
  const organizations = byId(gone.organizations, []);
  for (const { id, roles: listed } of found.projects) nameRoles(roles, id, listed);
  return {
    userOf: (id) => users.get(id),
    projectOf: (id) => projects.get(id),
    organizationOf: (id) => found.organizationOf(id) ?? organizations.get(id),
    roleOf: (projectId, key) =>
      projectId === undefined
        ? { key, displayName: administratorRole(key) }
        : (roles.get(roleId(projectId, key)) ?? { key, displayName: "" }),
  };
}

/** By id. Of several with the same id, the last one counts. */
function byId<Thing extends { readonly id: string }>(...lists: (readonly Thing[])[]): Map<string, Thing> {
  return new Map(lists.flat().map((thing) => [thing.id, thing]));
}

function nameRoles(names: Map<string, NamedRole>, projectId: string | undefined, roles: readonly NamedRole[]): void {
  for (const role of roles) {
    // In an event, the key takes the place of a name that the reader may not know.
    if (role.displayName !== "" && role.displayName !== role.key) names.set(roleId(projectId, role.key), role);
  }
}

function roleId(projectId: string | undefined, key: string): string {
  return JSON.stringify([projectId, key]);
}

export function useNames(entries: readonly Entry[]): Names {
  const unnamed = unnamedIn(entries);
  const { items: listed } = users.useFound(unnamed.users);
  const { items: listedProjects = [] } = projects.useFound(unnamed.projects);
  const organizationOf = useOrganizations(unnamed.organizations);
  const missing = listed ? unnamed.users.filter((id) => listed.every((user) => user.id !== id)) : [];
  const removed = [...(useRemoved("user", missing)?.values() ?? [])].flatMap(({ user }) => user ?? []);
  const found: Found = {
    users: [...(listed ?? []), ...removed],
    projects: listedProjects,
    organizationOf: (id) => organizationOf?.(id),
  };
  return namesOf(found, entries);
}
