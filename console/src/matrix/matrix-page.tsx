import { DirectoryService, type ListedProject } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { Answered } from "../directory/answered.tsx";
import { NotFound } from "../directory/not-found.tsx";
import { useOrganizations } from "../directory/organization-names.ts";
import { Page } from "../directory/page.tsx";
import { withId } from "../directory/requests.ts";
import { asFilter } from "../filters/content.ts";
import { ByFilters } from "../filters/unreadable-filters.tsx";
import { OrganizationLink, ProjectLink } from "../parts/links.tsx";
import { matrixWords as words } from "../words/matrix.ts";
import { projectColumns, roleColumns } from "./cells.ts";
import { Matrix } from "./matrix.tsx";
import { type MatrixSearch, readMatrixSearch, withSort } from "./search.ts";

const route = getRouteApi("/matrix");

/** People and the roles of a project, or people and the projects of an organization: seen and edited cell by cell. */
export function MatrixPage() {
  const written = route.useSearch();
  const search = useMemo(() => withSort(readMatrixSearch(written)), [written]);
  return (
    <ByFilters search={search}>
      {() =>
        search.project !== undefined ? (
          <OfProject key={search.project} id={search.project} search={search} />
        ) : (
          <OfOrganization key={search.organization} id={search.organization ?? ""} search={search} />
        )
      }
    </ByFilters>
  );
}

type Props = { id: string; search: MatrixSearch };

function OfProject({ id, search }: Props) {
  const query = useQuery(DirectoryService.method.listProjects, withId(id));
  const project = query.data?.projects[0];
  const owner = useOrganizations([project?.organizationId])?.(project?.organizationId);
  const columns = useMemo(() => (project ? roleColumns(project) : []), [project]);
  if (query.data && project === undefined) return <Missing />;
  return (
    <Page
      name={words.ofProject(project?.name ?? "")}
      about={id}
      within={[
        owner && <OrganizationLink key="owner" organization={owner} />,
        project && <ProjectLink key="project" project={project} />,
      ].filter(Boolean)}
    >
      <Answered query={query} shape={{ rows: 12, columns: 8 }}>
        {() => (
          <Matrix
            search={search}
            within={asFilter({ case: "projectId", value: { id } })}
            columns={columns}
            notListed={(project?.totalRoles ?? 0) - columns.length}
            organizationOf={(user) => grantedTo(project, user.organizationId) ?? owner}
          />
        )}
      </Answered>
    </Page>
  );
}

/** How many projects of an organization are columns. */
const mostProjects = 200;

function OfOrganization({ id, search }: Props) {
  const organizations = useQuery(DirectoryService.method.listOrganizations, withId(id), { enabled: id !== "" });
  const query = useQuery(
    DirectoryService.method.listProjects,
    {
      filters: [{ filter: { case: "inOrganizationId", value: { id } } }],
      pagination: { limit: mostProjects },
    },
    { enabled: id !== "" },
  );
  const organization = organizations.data?.organizations[0];
  const columns = useMemo(() => projectColumns(query.data?.projects ?? []), [query.data]);
  if (id === "" || (organizations.data && organization === undefined)) return <Missing />;
  return (
    <Page
      name={words.ofOrganization(organization?.name ?? "")}
      about={id}
      within={organization ? [<OrganizationLink key="organization" organization={organization} />] : []}
    >
      <Answered query={query} shape={{ rows: 12, columns: 8 }}>
        {({ pagination }) => (
          <Matrix
            search={search}
            within={asFilter({ case: "organizationId", value: { id } })}
            columns={columns}
            notListed={(pagination?.totalResult ?? 0) - columns.length}
            organizationOf={() => organization}
          />
        )}
      </Answered>
    </Page>
  );
}

function Missing() {
  return (
    <NotFound title={words.notFound} advice={words.notFoundAdvice}>
      <Link to="/projects">{words.toProjects}</Link>
    </NotFound>
  );
}

/** Someone new gets roles in their own organization if the project is granted to it, otherwise in the owner's. */
function grantedTo(project: ListedProject | undefined, own: string) {
  return project?.grants.find(({ organization }) => organization?.id === own)?.organization;
}
