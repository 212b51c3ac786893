import { DirectoryService } from "@authorization-service/client/directory";
import { ListPage } from "../directory/list-page.tsx";
import { AdministratorsCell, AssignmentCells } from "../directory/row-cells.tsx";
import { OrganizationLink, ProjectLink } from "../parts/links.tsx";
import { projectsWords as words } from "../words/projects.ts";
import { rowWords } from "../words/rows.ts";

const { name, owner, roles, grants } = words.columns;
const { administrators, assignments, lastChange } = rowWords;

/** The projects that an organization owns or uses, or all the reader sees, by name. */
export function ProjectsPage() {
  return (
    <ListPage
      of="projects"
      words={words}
      method={DirectoryService.method.listProjects}
      within="inOrganizationId"
      rowsOf={({ projects }) => projects}
      nameOf={(project) => project.name}
      columns={[name, owner, roles, grants, administrators, assignments, lastChange]}
      cells={(project, organization) => (
        <>
          <th scope="row">
            <ProjectLink project={project} />
          </th>
          <td>{organization && <OrganizationLink organization={organization.of} />}</td>
          <td>{words.roles(project.totalRoles)}</td>
          <td>{words.grants(project.totalGrants)}</td>
          <AdministratorsCell of={{ project: project.id }} />
          <AssignmentCells of="projectId" id={project.id} />
        </>
      )}
      lineOf={(of) => [of.id, of.name, of.organizationId, String(of.totalRoles), String(of.totalGrants)]}
    />
  );
}
