import type { Authorization, Role } from "@authorization-service/client";
import { DirectoryService, type ListedProject } from "@authorization-service/client/directory";
import { skipToken, useQuery } from "@connectrpc/connect-query";
import { rolesWords } from "../words/assignment-changes.ts";

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
