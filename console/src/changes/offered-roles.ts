import type { Authorization, Role } from "@authorization-service/client";
import { DirectoryService, type ListedProject } from "@authorization-service/client/directory";
import { skipToken, useQuery } from "@connectrpc/connect-query";

/** A project in an organization, by their ids. */
export type Place = { readonly projectId: string; readonly organizationId: string };

/** Where the assignment is. */
export function placeOf({ project, organization }: Pick<Authorization, "project" | "organization">): Place {
  return { projectId: project?.id ?? "", organizationId: organization?.id ?? "" };
}

/** What the caller may assign in a place; data is undefined until it is known, its project when there is nothing. */
export function useOfferedRoles(place: Place | undefined) {
  return useQuery(
    DirectoryService.method.listProjects,
    place ? assignableIn([place.projectId], place.organizationId) : skipToken,
    {
      select: ({ projects }): { project: ListedProject | undefined } => ({ project: projects[0] }),
    },
  );
}

/** Asks for what may be assigned in an organization for some projects. */
export function assignableIn(projectIds: readonly string[], organizationId: string) {
  return {
    assignable: true,
    filters: [
      { filter: { case: "ids" as const, value: { ids: [...projectIds] } } },
      { filter: { case: "inOrganizationId" as const, value: { id: organizationId } } },
    ],
  };
}

/** How many roles of the project the service has not listed, because they are too many. */
export function unlistedOf(project: ListedProject | undefined): number {
  return project === undefined ? 0 : Math.max(0, project.totalRoles - project.roles.length);
}

/** A role to tick or untick. */
export type RoleChoice = Pick<Role, "key" | "displayName" | "group"> & {
  /** Something to know of it, such as that it can be removed only. */
  readonly note?: string;
};

/** What is offered in the place, and after it what is held and not offered, which can only be removed. */
export function choicesOf(project: ListedProject | undefined, held: readonly RoleChoice[]): RoleChoice[] {
  const offered = project?.roles ?? [];
  const keys = new Set(offered.map(({ key }) => key));
  // Of very many roles the service lists the first thousand: what is not among them may be offered all the same.
  const isWhole = unlistedOf(project) === 0;
  const rest = new Map(held.filter(({ key }) => !keys.has(key)).map((role) => [role.key, role])).values();
  return [
    ...offered,
    ...[...rest].map((role) => ({ ...role, ...(isWhole && { note: "cannot be assigned any more" }) })),
  ];
}
