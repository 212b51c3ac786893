import {
  DirectoryService,
  type ListedProject,
  type ListedRole,
  type Organization,
  type Project,
  type User,
} from "@authorization-service/client/directory";
import { createClient, type Transport } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { withIds } from "../directory/requests.ts";
import { administratorRole } from "../words/administrator-roles.ts";
import { changeOf, onlyIn } from "./change.ts";
import { type Entry, isOfAssignment } from "./entry.ts";
import type { Send } from "./readers.ts";
import { asListed, useRemoved } from "./removals.ts";

/** A role with its name, where the reader may know it. */
export type NamedRole = Pick<ListedRole, "key" | "displayName">;

/** Events and look-ups have the same fields, though not the same types. */
type Known<Thing> = Omit<Thing, "$typeName">;

/** The things that events name by id, as far as the reader may know them. */
export type Names = {
  readonly userOf: (id: string) => Known<User> | undefined;
  readonly organizationOf: (id: string) => Known<Organization> | undefined;
  readonly projectOf: (id: string) => ListedProject | undefined;
  /** A role of a project, or of administrators. Without a known name, the key says which one it is. */
  readonly roleOf: (projectId: string | undefined, key: string) => NamedRole;
};

/** The ids in events that have no names with them. */
export type Unnamed = { readonly users: string[]; readonly projects: string[]; readonly organizations: string[] };

export function unnamedIn(entries: readonly Entry[]): Unnamed {
  const named = { user: new Set<string>(), project: new Set<string>(), organization: new Set<string>() };
  for (const entry of entries) {
    const { differences, places } = changeOf(entry);
    if (isOfAssignment(entry)) {
      // It has names with it, but for the roles that it took away.
      if (differences.some(({ before, after }) => onlyIn(before, after).length > 0)) {
        named.project.add(places.project ?? "");
      }
      continue;
    }
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
  readonly users: readonly Known<User>[];
  readonly projects: readonly ListedProject[];
  readonly organizations: readonly Known<Organization>[];
};

/** Asks for what the reader may know of these ids. `send` sends a request, for example again if it fails. */
export async function lookUp(transport: Transport, ids: Unnamed, signal: AbortSignal, send: Send): Promise<Found> {
  const client = createClient(DirectoryService, transport);
  type List<Thing> = (request: ReturnType<typeof withIds>) => Promise<readonly Thing[]>;
  async function ask<Thing>(wanted: readonly string[], list: List<Thing>): Promise<readonly Thing[]> {
    return wanted.length === 0 ? [] : send(() => list(withIds(wanted)));
  }

  const [users, projects, organizations] = await Promise.all([
    ask(ids.users, async (request) => (await client.listUsers(request, { signal })).users),
    ask(ids.projects, async (request) => (await client.listProjects(request, { signal })).projects),
    ask(ids.organizations, async (request) => (await client.listOrganizations(request, { signal })).organizations),
  ]);
  return { users, projects, organizations };
}

/** Events have names, too. So what is gone has one here if one of the events is about it. */
export function namesOf(found: Found, entries: readonly Entry[]): Names {
  const users = new Map<string, Known<User>>();
  const projects = new Map<string, ListedProject>();
  const organizations = new Map<string, Known<Organization>>();
  const roles = new Map<string, NamedRole>();
  function nameRoles(projectId: string | undefined, named: readonly NamedRole[]) {
    // In an event, the key takes the place of a name that the reader may not know.
    const known = named.filter(({ key, displayName }) => displayName !== "" && displayName !== key);
    for (const role of known) roles.set(roleId(projectId, role.key), role);
  }

  for (const entry of entries.toReversed()) {
    const { user, project, organization, projectRole } = aboutOf(entry);
    if (user && !isHidden(user, user.displayName, user.preferredLoginName)) users.set(user.id, user);
    if (project && !isHidden(project, project.name, project.organizationId))
      projects.set(project.id, asListed(project));
    if (organization && !isHidden(organization, organization.name)) organizations.set(organization.id, organization);
    if (projectRole) nameRoles(projectRole.projectId, [projectRole]);
    if (isOfAssignment(entry)) nameRoles(project?.id, entry.roles);
  }
  for (const user of found.users) users.set(user.id, user);
  for (const organization of found.organizations) organizations.set(organization.id, organization);
  for (const project of found.projects) {
    projects.set(project.id, project);
    nameRoles(project.id, project.roles);
  }
  return {
    userOf: (id) => users.get(id),
    projectOf: (id) => projects.get(id),
    organizationOf: (id) => organizations.get(id),
    roleOf: (projectId, key) =>
      projectId === undefined
        ? { key, displayName: administratorRole(key) }
        : (roles.get(roleId(projectId, key)) ?? { key, displayName: "" }),
  };
}

/** What an event has with its name. */
type About = {
  readonly user?: Known<User> | undefined;
  readonly project?: Known<Project> | undefined;
  readonly organization?: Known<Organization> | undefined;
  readonly projectRole?: NamedRole & { readonly projectId: string };
};

function aboutOf(entry: Entry): About {
  if (isOfAssignment(entry)) return entry;
  const { case: kind, value } = (entry.after ?? entry.before)?.thing ?? {};
  return kind === undefined ? {} : { [kind]: value };
}

/** In an event, the id takes the place of a name that the reader may not know. The rest of the fields is then empty. */
function isHidden({ id }: { readonly id: string }, name: string, other = ""): boolean {
  return name === id && other === "";
}

function roleId(projectId: string | undefined, key: string): string {
  return JSON.stringify([projectId, key]);
}

const nothing: Found = { users: [], projects: [], organizations: [] };

export function useNames(entries: readonly Entry[]): Names {
  const transport = useTransport();
  const unnamed = unnamedIn(entries);
  const { data } = useQuery({
    queryKey: ["names", unnamed],
    queryFn: ({ signal }) => lookUp(transport, unnamed, signal, (request) => request()),
    enabled: Object.values(unnamed).some((ids) => ids.length > 0),
    placeholderData: keepPreviousData,
    // Answers have numbers that are too large for JSON, which finds out whether one is the same.
    structuralSharing: false,
  });
  const found = data ?? nothing;
  const missing = data ? unnamed.users.filter((id) => found.users.every((user) => user.id !== id)) : [];
  const removed = [...(useRemoved("user", missing)?.values() ?? [])].flatMap(({ user }) => user ?? []);
  return namesOf({ ...found, users: [...found.users, ...removed] }, entries);
}
