import { DirectoryService, type ListedProject } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { AddPeopleLink } from "../add-people/add-people-link.tsx";
import { useCaller } from "../caller.ts";
import { Administrators } from "../directory/administrators.tsx";
import { ListSection, Nothing } from "../directory/answered.tsx";
import { useOrganizations } from "../directory/organization-names.ts";
import { Person } from "../directory/person.tsx";
import { mayChange } from "../directory/rights.ts";
import { ThingPage } from "../directory/thing-page.tsx";
import { AddButton } from "../directory-changes/add-button.tsx";
import { GiveEntry } from "../directory-changes/entry-actions.tsx";
import { NamedActions } from "../directory-changes/named-dialogs.tsx";
import { HistorySection } from "../history/history-section.tsx";
import { OrganizationLink, ProjectLink } from "../parts/links.tsx";
import { RoleChips } from "../parts/role-chips.tsx";
import { namedChangeWords } from "../words/directory-changes.ts";
import { matrixWords } from "../words/matrix.ts";
import { organizationWords as words } from "../words/organizations.ts";

/** An organization: its people, its projects, and those granted to it. */
export function OrganizationPage() {
  const caller = useCaller();
  return (
    <ThingPage
      kind="organization"
      words={words}
      method={DirectoryService.method.listOrganizations}
      thingOf={({ organizations }) => organizations[0]}
      nameOf={({ name }) => name}
      actions={({ id, name }) => (
        <>
          <Link className="button" to="/assignments" search={{ filters: [{ organizationId: { id } }] }}>
            {words.assignments}
          </Link>
          <Link className="button" to="/matrix" search={{ organization: id }}>
            {matrixWords.openProjects}
          </Link>
          {mayChange(caller, "org.write", { organizationId: id }) && (
            <NamedActions
              name={name}
              changeTo={(name) => ({ change: { case: "organization", value: { id, name } } })}
              remove={{ case: "organizationId", value: id }}
              removeAdvice={namedChangeWords.removeOrganizationAdvice}
              after="/organizations"
            />
          )}
        </>
      )}
    >
      {(id, organization) => (
        <>
          <People id={id} />
          <Projects id={id} />
          <Administrators
            {...words.administrators}
            search={{ organization: id }}
            actions={organization && <GiveEntry scope={{ case: "organization", value: organization }} />}
          />
          <HistorySection search={{ organization: id }} />
        </>
      )}
    </ThingPage>
  );
}

/** The first people of an organization, with a link to all. */
function People({ id }: { id: string }) {
  const query = useQuery(DirectoryService.method.listUsers, {
    filters: [{ filter: { case: "organizationId", value: { id } } }],
    pagination: { limit: 5 },
  });
  const total = query.data?.pagination?.totalResult ?? 0;
  return (
    <ListSection
      title={words.people.title}
      count={total}
      actions={
        <>
          {total > 0 && (
            <Link className="button" to="/people" search={{ organization: id }}>
              {words.people.all(total)}
            </Link>
          )}
          <AddPeopleLink organizationId={id} />
          <AddButton kind="person" inOrganization={id} />
        </>
      }
      query={query}
      rowsOf={({ users }) => users}
      keyOf={(user) => user.id}
      none={words.people.none}
    >
      {(user) => (
        <>
          <Person user={user} />
          <bdi className="muted">{user.preferredLoginName}</bdi>
        </>
      )}
    </ListSection>
  );
}

const mostProjects = 200;
/** Enough to recognize a grant. The project's page has the others. */
const mostRoles = 8;

/** The projects that an organization owns, and those granted to it, with the roles that it can assign. */
function Projects({ id }: { id: string }) {
  const query = useQuery(DirectoryService.method.listProjects, {
    filters: [{ filter: { case: "inOrganizationId", value: { id } } }],
    pagination: { limit: mostProjects },
  });
  const projects = query.data?.projects ?? [];
  const ownerOf = useOrganizations(projects.map(({ organizationId }) => organizationId));
  const total = query.data?.pagination?.totalResult ?? 0;
  const isOwn = ({ organizationId }: Pick<ListedProject, "organizationId">) => organizationId === id;
  return (
    <ListSection
      title={words.projects.title}
      count={total}
      actions={
        <>
          <Link className="button" to="/projects" search={{ organization: id }}>
            {words.projects.all}
          </Link>
          <AddButton kind="project" inOrganization={id} />
        </>
      }
      query={query}
      rowsOf={() => [...projects.filter(isOwn), ...projects.filter((project) => !isOwn(project))]}
      keyOf={(project) => project.id}
      none={words.projects.none}
      rest={total > mostProjects && <Nothing>{words.notListed(total - mostProjects)}</Nothing>}
    >
      {({ grants, roles, ...project }) => {
        const keys = grants.find(({ organization }) => organization?.id === id)?.roleKeys;
        return (
          <>
            <ProjectLink project={project} />
            {!isOwn(project) && ownerOf && (
              <span className="muted">
                {words.projects.grantedBy} <OrganizationLink organization={ownerOf(project.organizationId)} />
              </span>
            )}
            <RoleChips roles={keys ? roles.filter(({ key }) => keys.includes(key)) : roles} most={mostRoles} />
          </>
        );
      }}
    </ListSection>
  );
}
