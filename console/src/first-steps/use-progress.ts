import { AuthorizationService } from "@authorization-service/client";
import { DirectoryService, type ListedProject, type Organization } from "@authorization-service/client/directory";
import type { ConnectError } from "@connectrpc/connect";
import { skipToken, useQuery } from "@connectrpc/connect-query";
import { useCaller } from "../caller.ts";
import { withId } from "../directory/requests.ts";
import type { FirstStepsSearch, Step } from "./search.ts";

/** How far the first steps are: what the address names, and what is in the database. */
export type Progress = {
  /** The organization that was chosen, or that owns the project. */
  readonly organization: Organization | undefined;
  /** The reader's own organization, to begin with. */
  readonly own: Organization | undefined;
  readonly project: ListedProject | undefined;
  readonly people: number;
  readonly assignments: number;
  readonly done: ReadonlySet<Step>;
  readonly isLoading: boolean;
  readonly failed: { readonly error: ConnectError; readonly retry: () => void } | undefined;
};

export function useProgress({ organization: chosen, project: chosenProject }: FirstStepsSearch): Progress {
  const user = useCaller()?.user;
  // Later, the address may be forgotten. Then the first project says how far it went.
  const projects = useQuery(
    DirectoryService.method.listProjects,
    chosenProject === undefined
      ? {
          filters: chosen === undefined ? [] : [{ filter: { case: "inOrganizationId", value: { id: chosen } } }],
          pagination: { limit: 50, skipTotal: true },
        }
      : withId(chosenProject),
  );
  const project = projects.data?.projects.find((one) => chosen === undefined || one.organizationId === chosen);
  const organizationId = chosen ?? project?.organizationId;
  const organizations = useQuery(
    DirectoryService.method.listOrganizations,
    user === undefined ? skipToken : withIdsOf([user.organizationId, organizationId]),
  );
  const people = useQuery(
    DirectoryService.method.listUsers,
    organizationId === undefined
      ? skipToken
      : { filters: [{ filter: { case: "organizationId", value: { id: organizationId } } }], pagination: { limit: 2 } },
  );
  const assignments = useQuery(
    AuthorizationService.method.listAuthorizations,
    project === undefined || organizationId === undefined
      ? skipToken
      : {
          filters: [
            { filter: { case: "projectId", value: { id: project.id } } },
            { filter: { case: "organizationId", value: { id: organizationId } } },
          ],
          pagination: { limit: 1 },
        },
  );
  const found = (id: string | undefined) => organizations.data?.organizations.find((one) => one.id === id);
  const counts = {
    // The reader is no one to add.
    people: (people.data?.users ?? []).some(({ id }) => id !== user?.id)
      ? (people.data?.pagination?.totalResult ?? 0)
      : 0,
    assignments: assignments.data?.pagination?.totalResult ?? 0,
  };
  const queries = [projects, organizations, people, assignments];
  const failed = queries.find(({ error, data }) => error !== null && data === undefined);
  return {
    organization: found(organizationId),
    own: found(user?.organizationId),
    project,
    ...counts,
    done: new Set(
      [
        organizationId !== undefined && ("organization" as const),
        project !== undefined && ("project" as const),
        (project?.totalRoles ?? 0) > 0 && ("roles" as const),
        counts.people > 0 && ("people" as const),
        counts.assignments > 0 && ("assignments" as const),
      ].filter((step) => step !== false),
    ),
    isLoading: user === undefined || queries.some(({ isLoading }) => isLoading),
    failed: failed?.error ? { error: failed.error, retry: () => void failed.refetch() } : undefined,
  };
}

function withIdsOf(ids: readonly (string | undefined)[]) {
  const named = [...new Set(ids.filter((id) => id !== undefined))].sort();
  return {
    filters: [{ filter: { case: "ids" as const, value: { ids: named } } }],
    pagination: { skipTotal: true },
  };
}
