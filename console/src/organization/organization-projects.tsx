import { DirectoryService, type ListedProject, type ListedRole } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { useCaller } from "../caller.ts";
import { Answered, None, Nothing } from "../directory/answered.tsx";
import { useOrganizations } from "../directory/organization-names.ts";
import { Section } from "../directory/page.tsx";
import { mayGrantTo } from "../directory/rights.ts";
import { AddProject } from "../directory-changes/add-buttons.tsx";
import { OrganizationLink, ProjectLink } from "../parts/links.tsx";
import { RoleChips } from "../parts/role-chips.tsx";
import { organizationWords as words } from "../words/organizations.ts";

const most = 200;
/** Enough to recognize a grant. The project's page has the others. */
const mostRoles = 8;

/** The projects that an organization owns, and those granted to it. */
export function OrganizationProjects({ id }: { id: string }) {
  const query = useQuery(DirectoryService.method.listProjects, {
    filters: [{ filter: { case: "inOrganizationId", value: { id } } }],
    pagination: { limit: most },
  });
  const mayGrant = mayGrantTo(useCaller(), id);
  const projects = query.data?.projects ?? [];
  const own = projects.filter(({ organizationId }) => organizationId === id);
  const granted = projects.filter(({ organizationId }) => organizationId !== id);
  const notListed = (query.data?.pagination?.totalResult ?? 0) - projects.length;
  return (
    <>
      <Section
        title={words.projects.title}
        count={query.data && own.length}
        actions={
          <>
            <Link className="button" to="/projects" search={{ organization: id }}>
              {words.projects.all}
            </Link>
            <AddProject inOrganization={id} />
          </>
        }
      >
        <Answered query={query} shape={{ rows: 4, columns: 3 }}>
          {() => (own.length === 0 ? <None>{words.projects.none}</None> : <Projects projects={own} id={id} />)}
        </Answered>
      </Section>
      <Section title={words.granted.title} count={query.data && granted.length}>
        <Answered query={query} shape={{ rows: 4, columns: 3 }}>
          {() => (granted.length === 0 ? <None>{words.granted.none}</None> : <Projects projects={granted} id={id} />)}
        </Answered>
        {notListed > 0 && <Nothing>{words.notListed(notListed)}</Nothing>}
        {mayGrant && (
          <p className="muted">
            {words.granted.advice} <Link to="/projects">{words.granted.toProjects}</Link>
          </p>
        )}
      </Section>
    </>
  );
}

function Projects({ projects, id }: { projects: readonly ListedProject[]; id: string }) {
  const ownerOf = useOrganizations(projects.map(({ organizationId }) => organizationId));
  return (
    <ul className="plain-list">
      {projects.map((project) => {
        const roles = rolesIn(project, id);
        return (
          <li key={project.id}>
            <ProjectLink project={project} />
            {project.organizationId !== id && ownerOf && (
              <span className="muted">
                {words.granted.by} <OrganizationLink organization={ownerOf(project.organizationId)} />
              </span>
            )}
            {roles && <RoleChips roles={roles} most={mostRoles} />}
          </li>
        );
      })}
    </ul>
  );
}

/** The roles that an organization can assign. Undefined if its grant is not listed, because the project has too many. */
function rolesIn({ organizationId, grants, roles }: ListedProject, id: string): readonly ListedRole[] | undefined {
  if (organizationId === id) return roles;
  const grant = grants.find(({ organization }) => organization?.id === id);
  return grant && roles.filter(({ key }) => grant.roleKeys.includes(key));
}
