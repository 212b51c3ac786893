import { AuthorizationService } from "@authorization-service/client";
import { DirectoryService } from "@authorization-service/client/directory";
import { skipToken, useQuery } from "@connectrpc/connect-query";
import { useCaller } from "../caller.ts";
import { withId } from "../directory/requests.ts";

/** What the address names. */
export type Chosen = { readonly organization?: string; readonly project?: string };

type By = "projectId" | "organizationId" | "inOrganizationId";
const by = <Kind extends By>(kind: Kind, id: string) => ({ filter: { case: kind, value: { id } } });

/** How far the first steps are: what the address names, and what is in the database. */
export function useProgress({ organization: chosen, project: chosenProject }: Chosen) {
  const user = useCaller()?.user;
  const { listProjects, listOrganizations, listUsers } = DirectoryService.method;
  // Later, the address may be forgotten. Then the first project says how far it went.
  const ofChosen = {
    filters: chosen === undefined ? [] : [by("inOrganizationId", chosen)],
    pagination: { limit: 50, skipTotal: true },
  };
  const projects = useQuery(listProjects, chosenProject === undefined ? ofChosen : withId(chosenProject));
  const project = projects.data?.projects.find((one) => chosen === undefined || one.organizationId === chosen);
  const id = chosen ?? project?.organizationId ?? (projects.data && user?.organizationId);
  const organizations = useQuery(listOrganizations, id === undefined ? skipToken : withId(id));
  const people = useQuery(
    listUsers,
    id === undefined ? skipToken : { filters: [by("organizationId", id)], pagination: { limit: 2 } },
  );
  const assignments = useQuery(
    AuthorizationService.method.listAuthorizations,
    project === undefined || id === undefined
      ? skipToken
      : { filters: [by("projectId", project.id), by("organizationId", id)], pagination: { limit: 1 } },
  );
  const queries = [projects, organizations, people, assignments];
  // The reader is no one to add.
  const hasOthers = people.data?.users.some((one) => one.id !== user?.id) ?? false;
  return {
    /** The one that was chosen, that owns the project, or that the reader belongs to. */
    organization: organizations.data?.organizations[0],
    project,
    people: hasOthers ? (people.data?.pagination?.totalResult ?? 0) : 0,
    assignments: assignments.data?.pagination?.totalResult ?? 0,
    isLoading: user === undefined || queries.some(({ isLoading }) => isLoading),
    failed: queries.find(({ error, data }) => error !== null && data === undefined),
  };
}
