import { DirectoryService, type ListedProject } from "@authorization-service/client/directory";
import { getRouteApi } from "@tanstack/react-router";
import { ListPage } from "../directory/list-page.tsx";
import { withWords } from "../directory/requests.ts";
import { AdministratorsCell, AssignmentCells } from "../directory/row-cells.tsx";
import { dialogIn, type NamedListSearch, readNamedListSearch } from "../directory/search.ts";
import { AddProject } from "../directory-changes/add-buttons.tsx";
import { OrganizationLink, ProjectLink } from "../parts/links.tsx";
import { pageWords } from "../words/pages.ts";
import { projectsWords as words } from "../words/projects.ts";
import { rowWords } from "../words/rows.ts";

const route = getRouteApi("/projects");
const { columns } = words;
const file = {
  file: "projects",
  of: pageWords.projects,
  lineOf: ({ id, name, organizationId, totalRoles, totalGrants }: ListedProject) => [
    id,
    name,
    organizationId,
    String(totalRoles),
    String(totalGrants),
  ],
} as const;

/** The projects that an organization owns or uses, or all the reader sees, by name. */
export function ProjectsPage() {
  const search = readNamedListSearch(route.useSearch());
  const navigate = route.useNavigate();
  const show = (next: NamedListSearch, how = { replace: false }) => void navigate({ search: next, ...how });
  const { name = "", organization } = search;
  const inOrganization = organization
    ? [{ filter: { case: "inOrganizationId" as const, value: { id: organization } } }]
    : [];
  return (
    <ListPage
      words={words}
      list={file}
      search={search}
      onSearch={show}
      method={DirectoryService.method.listProjects}
      requestOf={(pagination) => ({ filters: [...inOrganization, ...withWords(name)], pagination })}
      rowsOf={({ projects }) => projects}
      nameOf={(project) => project.name}
      columns={[
        columns.name,
        columns.owner,
        columns.roles,
        columns.grants,
        rowWords.administrators,
        rowWords.assignments,
        rowWords.lastChange,
      ]}
      cells={(project, owner) => (
        <>
          <th scope="row">
            <ProjectLink project={project} />
          </th>
          <td>{owner && <OrganizationLink organization={owner.of} />}</td>
          <td>{words.roles(project.totalRoles)}</td>
          <td>{words.grants(project.totalGrants)}</td>
          <AdministratorsCell of={{ project: project.id }} />
          <AssignmentCells of="projectId" id={project.id} />
        </>
      )}
      organization={words.organization}
      actions={<AddProject inOrganization={organization} isPrimary address={dialogIn(search, show)} />}
    />
  );
}
