import type { Authorization, Role } from "@authorization-service/client";
import { DirectoryService, type ListedProject } from "@authorization-service/client/directory";
import { createClient, type Transport } from "@connectrpc/connect";
import { skipToken, useQuery, useTransport } from "@connectrpc/connect-query";
import { useQuery as useAnyQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { nameOf } from "../parts/role-chips.tsx";
import { batchWords, rolesWords } from "../words/assignment-changes.ts";

/** A project in an organization, by ids. */
export type Place = { readonly projectId: string; readonly organizationId: string };

/** The place of the assignment. */
export function placeOf({ project, organization }: Pick<Authorization, "project" | "organization">): Place {
  return { projectId: project?.id ?? "", organizationId: organization?.id ?? "" };
}

/**
 * What the caller may assign in a place. `data` is undefined until it is known; its project is undefined if there is
 * nothing to assign.
 */
export function useOfferedRoles(place: Place | undefined) {
  return useQuery(
    DirectoryService.method.listProjects,
    place ? assignableIn([place.projectId], place.organizationId) : skipToken,
    {
      select: ({ projects }): { project: ListedProject | undefined } => ({ project: projects[0] }),
      // What was offered stays while the person decides.
      staleTime: "static",
      gcTime: 0,
    },
  );
}

/** Asks which roles of some projects can be assigned in an organization. */
export function assignableIn(projectIds: readonly string[], organizationId: string) {
  return {
    assignable: true,
    filters: [
      { filter: { case: "ids" as const, value: { ids: [...projectIds] } } },
      { filter: { case: "inOrganizationId" as const, value: { id: organizationId } } },
    ],
  };
}

/** How many of the project's roles the service didn't list, because there are too many. */
export function unlistedOf(project: ListedProject | undefined): number {
  return project === undefined ? 0 : Math.max(0, project.totalRoles - project.roles.length);
}

/** A role to select or clear. */
export type RoleChoice = Pick<Role, "key" | "displayName" | "group"> & {
  /** What it allows. Unknown for roles that are not offered. */
  readonly description?: string;
  /** A note about the role, for example that it can only be removed. */
  readonly note?: string;
};

/** The roles offered in the place, followed by held roles that are not offered and can only be removed. */
export function choicesOf(project: ListedProject | undefined, held: readonly RoleChoice[]): RoleChoice[] {
  const offered = project?.roles ?? [];
  const keys = new Set(offered.map(({ key }) => key));
  // If there are very many roles, the service lists only the first thousand. Others may still be assignable.
  const isWhole = unlistedOf(project) === 0;
  const rest = new Map(held.filter(({ key }) => !keys.has(key)).map((role) => [role.key, role])).values();
  return [...offered, ...[...rest].map((role) => ({ ...role, ...(isWhole && { note: rolesWords.noLongerOffered }) }))];
}

/** The assignable roles by key, for each place by `placeKey`. Maps, because there can be very many of both. */
export type Offers = ReadonlyMap<string, ReadonlyMap<string, RoleChoice>>;

export function placeKey({ project, organization }: Pick<Authorization, "project" | "organization">): string {
  return JSON.stringify([project?.id ?? "", organization?.id ?? ""]);
}

export function nameIn(offers: Offers, key: string): string {
  for (const roles of offers.values()) {
    const role = roles.get(key);
    if (role) return nameOf(role);
  }
  return key;
}

const mostIds = 1_000;

/** The roles that can be assigned in the places of the rows. Asks when the dialog opens, but not while it is open. */
export function useOffers(rows: readonly Authorization[], isNeeded: boolean) {
  const transport = useTransport();
  const places = useMemo(() => [...new Set(rows.map(placeKey))].toSorted(), [rows]);
  return useAnyQuery({
    queryKey: ["offers", places],
    queryFn: ({ signal }) => offersFor(transport, rows, signal),
    enabled: isNeeded,
    staleTime: "static",
    gcTime: 0,
  });
}

/** Asks for one organization at a time, because a project may be granted to very many. */
export async function offersFor(
  transport: Transport,
  rows: readonly Authorization[],
  signal: AbortSignal,
): Promise<Offers> {
  const client = createClient(DirectoryService, transport);
  const offers = new Map<string, ReadonlyMap<string, RoleChoice>>();
  for (const [organizationId, projectIds] of projectsByOrganization(rows)) {
    for (let start = 0; start < projectIds.length; start += mostIds) {
      const asked = assignableIn(projectIds.slice(start, start + mostIds), organizationId);
      for (let pageToken: string | undefined = ""; pageToken !== undefined; ) {
        const answer = await client.listProjects({ ...asked, pagination: { pageToken, skipTotal: true } }, { signal });
        for (const project of answer.projects) {
          const roles = new Map(project.roles.map((role) => [role.key, role]));
          offers.set(JSON.stringify([project.id, organizationId]), roles);
        }
        pageToken = answer.pagination?.nextPageToken || undefined;
      }
    }
  }
  return offers;
}

function projectsByOrganization(rows: readonly Authorization[]): ReadonlyMap<string, readonly string[]> {
  const projects = new Map<string, Set<string>>();
  for (const row of rows) {
    const { projectId, organizationId } = placeOf(row);
    projects.set(organizationId, (projects.get(organizationId) ?? new Set()).add(projectId));
  }
  return new Map([...projects].map(([organizationId, ids]) => [organizationId, [...ids].toSorted()]));
}

/** The roles to pick from: to add, those offered in any of the places; to remove, those held in any of the rows. */
export function batchChoices(kind: string, rows: readonly Authorization[], offers: Offers): RoleChoice[] {
  const roles = new Map<string, { role: RoleChoice; count: number }>();
  const count = (role: RoleChoice, times: number) =>
    roles.set(role.key, { role, count: (roles.get(role.key)?.count ?? 0) + times });
  if (kind === "add-roles") {
    // By place, so ten thousand rows in a place with a thousand roles need only one look-up.
    for (const [place, ofPlace] of Map.groupBy(rows, placeKey)) {
      for (const role of offers.get(place)?.values() ?? []) count(role, ofPlace.length);
    }
  } else {
    for (const role of rows.flatMap((row) => row.roles)) count(role, 1);
  }
  const verb = kind === "add-roles" ? batchWords.offeredFor : batchWords.heldIn;
  return [...roles.values()].map(({ role, count }) => ({
    ...role,
    note: count === rows.length ? batchWords.all(verb) : batchWords.some(verb, count, rows.length),
  }));
}
