import { AuthorizationService } from "@authorization-service/client";
import { DirectoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { withId } from "../directory/requests.ts";
import { nameOf } from "../parts/role-chips.tsx";
import { filterWords } from "../words/filters.ts";
import type { Thing } from "./words.ts";

/** The name of a thing by its id. Shows the id if the caller doesn't see the thing. */
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
  const query = useQuery(DirectoryService.method.listUsers, withId(id));
  const user = query.data?.users[0];
  return nameOrId(user?.displayName || user?.preferredLoginName, id, query);
}

function ProjectName({ id }: { id: string }) {
  const query = useQuery(DirectoryService.method.listProjects, withId(id));
  return nameOrId(query.data?.projects[0]?.name, id, query);
}

function OrganizationName({ id }: { id: string }) {
  const query = useQuery(DirectoryService.method.listOrganizations, withId(id));
  return nameOrId(query.data?.organizations[0]?.name, id, query);
}

function RoleName({ id, project }: { id: string; project: string }) {
  const query = useQuery(DirectoryService.method.listProjects, withId(project));
  const role = query.data?.projects[0]?.roles.find(({ key }) => key === id);
  return nameOrId(role && nameOf(role), id, query);
}

/** No look-up finds a grant by its id, but the assignments on it say what it grants. */
function GrantName({ id }: { id: string }) {
  const query = useQuery(AuthorizationService.method.listAuthorizations, {
    filters: [{ filter: { case: "projectGrantId", value: { id } } }],
    pagination: { limit: 1, skipTotal: true },
  });
  const { project, organization } = query.data?.authorizations[0] ?? {};
  const isKnown = project?.name && organization?.name;
  return nameOrId(isKnown && filterWords.inWords.grant(project.name, organization.name), id, query);
}

/** While it is asked for, neither: an id would look like the name. */
function nameOrId(name: string | undefined, id: string, { isLoading }: { readonly isLoading: boolean }): string {
  return name || (isLoading ? "…" : id);
}
