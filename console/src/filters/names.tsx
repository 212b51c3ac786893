import { AuthorizationService } from "@authorization-service/client";
import { DirectoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { withId } from "../directory/requests.ts";
import { nameOf } from "../parts/role-chips.tsx";
import { filterWords } from "../words/filters.ts";
import type { Thing } from "./words.ts";

/** The name of a thing by its id. Shows the id until the name is known, or if the caller doesn't see the thing. */
export function Name({ named }: { named: Thing }) {
  switch (named.thing) {
    case "user":
      return <UserName id={named.id} />;
    case "project":
      return <ProjectName id={named.id} />;
    case "organization":
      return <OrganizationName id={named.id} />;
    case "grant":
      return <GrantName id={named.id} />;
    case "role":
      return <RoleName {...named} />;
  }
}

// One at a time, because only a single id finds a user that the caller doesn't see.
function UserName({ id }: { id: string }) {
  const user = useQuery(DirectoryService.method.listUsers, withId(id)).data?.users[0];
  return user?.displayName || user?.preferredLoginName || id;
}

function ProjectName({ id }: { id: string }) {
  return useQuery(DirectoryService.method.listProjects, withId(id)).data?.projects[0]?.name || id;
}

function OrganizationName({ id }: { id: string }) {
  return useQuery(DirectoryService.method.listOrganizations, withId(id)).data?.organizations[0]?.name || id;
}

function RoleName({ id, project }: { id: string; project: string }) {
  const found = useQuery(DirectoryService.method.listProjects, withId(project)).data?.projects[0];
  const role = found?.roles.find(({ key }) => key === id);
  return role ? nameOf(role) : id;
}

/** No look-up finds a grant by its id, but the assignments on it say what it grants. */
function GrantName({ id }: { id: string }) {
  const { data } = useQuery(AuthorizationService.method.listAuthorizations, {
    filters: [{ filter: { case: "projectGrantId", value: { id } } }],
    pagination: { limit: 1, skipTotal: true },
  });
  const { project, organization } = data?.authorizations[0] ?? {};
  return project?.name && organization?.name ? filterWords.inWords.grant(project.name, organization.name) : id;
}
