import { DirectoryService, type ListedProject } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ListPage } from "../directory/list-page.tsx";
import { useOrganizations } from "../directory/organization-names.ts";
import { pageOf, withWords } from "../directory/requests.ts";
import { AdministratorsCell, AssignmentCells } from "../directory/row-cells.tsx";
import { dialogIn, type NamedListSearch, readNamedListSearch } from "../directory/search.ts";
import { SelectableRow, type Selection } from "../directory/selection.tsx";
import { Things } from "../directory/things.tsx";
import { OrganizationLink, ProjectLink } from "../parts/links.tsx";
import { pageWords } from "../words/pages.ts";
import { projectsWords as words } from "../words/projects.ts";
import { rowWords } from "../words/rows.ts";
import { AddProject } from "./add-project.tsx";

const route = getRouteApi("/projects");

/** The projects that an organization owns or uses, or all the reader sees, by name. */
export function ProjectsPage() {
  const search = readNamedListSearch(route.useSearch());
  const navigate = route.useNavigate();
  const show = (next: NamedListSearch, how = { replace: false }) => void navigate({ search: next, ...how });
  const filters = filtersOf(search);
  const request = { filters, pagination: pageOf(search) };
  const query = useQuery(DirectoryService.method.listProjects, request, { placeholderData: keepPreviousData });
  return (
    <ListPage
      words={words}
      list={{
        file: "projects",
        of: pageWords.projects,
        lineOf,
        read: async (client, pagination, signal) => {
          const { projects, ...answer } = await client.listProjects({ filters, pagination }, { signal });
          return { ...answer, rows: projects };
        },
      }}
      search={search}
      onSearch={show}
      query={query}
      columns={7}
      rowsOf={({ projects }) => projects}
      actions={<AddProject inOrganization={search.organization} address={dialogIn(search, show)} />}
      organization={words.organization}
    >
      {(selection) => <Projects selection={selection} />}
    </ListPage>
  );
}

/** A line of the file. */
function lineOf({ id, name, organizationId, totalRoles, totalGrants }: ListedProject): string[] {
  return [id, name, organizationId, String(totalRoles), String(totalGrants)];
}

function filtersOf({ name = "", organization }: NamedListSearch) {
  const inOrganization =
    organization === undefined ? [] : [{ filter: { case: "inOrganizationId" as const, value: { id: organization } } }];
  return [...inOrganization, ...withWords(name)];
}

function Projects({ selection }: { selection: Selection<ListedProject> }) {
  const { rows } = selection;
  const organizationOf = useOrganizations(rows.map(({ organizationId }) => organizationId));
  return (
    <Things
      label={words.title}
      selection={selection}
      columns={[
        words.columns.name,
        words.columns.owner,
        words.columns.roles,
        words.columns.grants,
        rowWords.administrators,
        rowWords.assignments,
        rowWords.lastChange,
      ]}
    >
      {rows.map((project) => (
        <SelectableRow key={project.id} selection={selection} id={project.id} name={project.name}>
          <th scope="row">
            <ProjectLink project={project} />
          </th>
          <td>{organizationOf && <OrganizationLink organization={organizationOf(project.organizationId)} />}</td>
          <td>{words.roles(project.totalRoles)}</td>
          <td>{words.grants(project.totalGrants)}</td>
          <AdministratorsCell of={{ project: project.id }} />
          <AssignmentCells of="projectId" id={project.id} />
        </SelectableRow>
      ))}
    </Things>
  );
}
