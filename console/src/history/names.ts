import type { AuthorizationEvent } from "@authorization-service/client";
import type { DirectoryEvent, ListedProject, User } from "@authorization-service/client/directory";
import { DirectoryService, type Organization } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { useOrganizations } from "../directory/organization-names.ts";
import { withIds } from "../directory/requests.ts";
import { administratorRole } from "../words/administrator-roles.ts";
import { type NamedRole, projectWithTaken } from "./change.ts";
import { directoryChangeOf, type Value } from "./differences.ts";
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

export function unnamedIn(directory: readonly DirectoryEvent[], assignments: readonly AuthorizationEvent[]): Unnamed {
  const values = directory.flatMap((event) => valuesOf(event));
  return {
    users: once(idsOf(values, "user")),
    projects: once([...idsOf(values, "project"), ...assignments.map(projectWithTaken)]),
    organizations: once(idsOf(values, "organization")),
  };
}

type Found = {
  readonly users: readonly User[];
  readonly projects: readonly ListedProject[];
  readonly organizationOf: Names["organizationOf"];
};

/** Events have names, too. So what is gone has one here if one of the events is about it. */
export function namesOf(
  found: Found,
  directory: readonly DirectoryEvent[],
  assignments: readonly AuthorizationEvent[],
): Names {
  const roles = new Map<string, NamedRole>();
  const gone = { users: [] as User[], projects: [] as ListedProject[], organizations: [] as Organization[] };
  for (const { before, after } of directory.toReversed()) {
    const thing = (after ?? before)?.thing;
    if (thing?.case === "projectRole") nameRoles(roles, thing.value.projectId, [thing.value]);
    if (thing?.case === "user") gone.users.push(thing.value);
    if (thing?.case === "project") gone.projects.push(asListed(thing.value));
    if (thing?.case === "organization") gone.organizations.push(thing.value);
  }
  const users = byId(gone.users, found.users);
  const projects = byId(gone.projects, found.projects);
  const organizations = byId(gone.organizations, []);
  for (const { project, roles: left } of assignments) nameRoles(roles, project?.id, left);
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

export function useNames(directory: readonly DirectoryEvent[], assignments: readonly AuthorizationEvent[] = []): Names {
  const unnamed = unnamedIn(directory, assignments);
  const users = useQuery(DirectoryService.method.listUsers, withIds(unnamed.users), {
    enabled: unnamed.users.length > 0,
  });
  const projects = useQuery(DirectoryService.method.listProjects, withIds(unnamed.projects), {
    enabled: unnamed.projects.length > 0,
  });
  const organizationOf = useOrganizations(unnamed.organizations);
  const listed = users.data?.users;
  const missing = listed ? unnamed.users.filter((id) => listed.every((user) => user.id !== id)) : [];
  const removed = [...(useRemoved("user", missing)?.values() ?? [])].flatMap(({ user }) => user ?? []);
  const found: Found = {
    users: [...(listed ?? []), ...removed],
    projects: projects.data?.projects ?? [],
    organizationOf: (id) => organizationOf?.(id),
  };
  return namesOf(found, directory, assignments);
}

/** What an event names. The places of a thing that doesn't move are shown, too, though they are no differences. */
function valuesOf(event: DirectoryEvent): (Value | undefined)[] {
  const { differences, places } = directoryChangeOf(event);
  return [...differences.flatMap(({ before, after }) => [before, after]), ...Object.values(places)];
}

function idsOf(values: readonly (Value | undefined)[], wanted: "user" | "organization" | "project"): string[] {
  return values.flatMap((value) => {
    if (value === undefined) return [];
    if (value.kind === "roles") return wanted === "project" && value.projectId !== undefined ? [value.projectId] : [];
    return value.kind === wanted ? [value.id] : [];
  });
}

function once(ids: readonly string[]): string[] {
  return [...new Set(ids)].filter(Boolean).sort();
}
