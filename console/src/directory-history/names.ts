import type { DirectoryEvent, ListedProject, User } from "@authorization-service/client/directory";
import { DirectoryService, type Organization } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { useOrganizations } from "../directory/organization-names.ts";
import { withIds } from "../directory/requests.ts";
import { directoryChangeOf, type Value } from "./differences.ts";

/** The things that events name by id, as far as the reader may know them. */
export type Names = {
  readonly userOf: (id: string) => User | undefined;
  readonly organizationOf: (id: string) => Organization | undefined;
  readonly projectOf: (id: string) => ListedProject | undefined;
};

export function useNames(events: readonly DirectoryEvent[]): Names {
  const values = events.flatMap((event) =>
    directoryChangeOf(event).differences.flatMap(({ before, after }) => [before, after]),
  );
  const [userIds, projectIds] = [idsOf(values, "user"), idsOf(values, "project")];
  const users = useQuery(DirectoryService.method.listUsers, withIds(userIds), { enabled: userIds.length > 0 });
  const projects = useQuery(DirectoryService.method.listProjects, withIds(projectIds), {
    enabled: projectIds.length > 0,
  });
  const organizationOf = useOrganizations(idsOf(values, "organization"));
  return {
    userOf: (wanted) => users.data?.users.find(({ id }) => id === wanted),
    organizationOf: (id) => organizationOf?.(id),
    projectOf: (wanted) => projects.data?.projects.find(({ id }) => id === wanted),
  };
}

function idsOf(values: readonly (Value | undefined)[], wanted: "user" | "organization" | "project"): string[] {
  const ids = values.flatMap((value) => (value !== undefined && value.kind === wanted ? [value.id] : []));
  return [...new Set(ids)].sort();
}
