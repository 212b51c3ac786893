import { OverviewService } from "@authorization-service/client";
import { DirectoryService, type ListedProject } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { useCaller } from "../caller.ts";
import { Administrators } from "../directory/administrators.tsx";
import { ListSection, Nothing } from "../directory/answered.tsx";
import { mayChange } from "../directory/rights.ts";
import { ThingPage } from "../directory/thing-page.tsx";
import { GiveEntry } from "../directory-changes/entry-actions.tsx";
import { NamedActions } from "../directory-changes/named-dialogs.tsx";
import { HistorySection } from "../history/history-section.tsx";
import { OrganizationLink } from "../parts/links.tsx";
import { namedChangeWords } from "../words/directory-changes.ts";
import { matrixWords } from "../words/matrix.ts";
import { partWords } from "../words/parts.ts";
import { projectWords as words } from "../words/projects.ts";
import { ProjectGrants } from "./project-grants.tsx";
import { ProjectRoles } from "./project-roles.tsx";

/** The most organizations and roles whose assignments the service counts. */
const mostCounted = 100;

/** A project: its roles, to whom it is granted, and who holds what in it. */
export function ProjectPage() {
  const caller = useCaller();
  return (
    <ThingPage
      kind="project"
      words={words}
      method={DirectoryService.method.listProjects}
      thingOf={({ projects }) => projects[0]}
      nameOf={({ name }) => name}
      actions={({ id, name, organizationId }) => (
        <>
          <Link className="button" to="/matrix" search={{ project: id }}>
            {matrixWords.open}
          </Link>
          {mayChange(caller, "project.write", { organizationId, projectId: id }) && (
            <NamedActions
              name={name}
              changeTo={(name) => ({ change: { case: "project", value: { id, name, organizationId } } })}
              remove={{ case: "projectId", value: id }}
              removeAdvice={namedChangeWords.removeProjectAdvice}
              after="/projects"
            />
          )}
        </>
      )}
    >
      {(id, project) => <Sections id={id} project={project} />}
    </ThingPage>
  );
}

type Props = { id: string; project: ListedProject | undefined };

function Sections({ id, project }: Props) {
  const counted = useCounted(id).data;
  return (
    <>
      {project && <ProjectRoles project={project} counts={counted?.roles} />}
      {project && <ProjectGrants project={project} />}
      <Administrators
        {...words.administrators}
        search={{ project: id }}
        actions={project && <GiveEntry scope={{ case: "project", value: project }} />}
      />
      <Holders id={id} project={project} />
      <HistorySection search={{ project: id }} />
    </>
  );
}

/** How many assignments there are of each role, and in each organization. */
function useCounted(id: string) {
  return useQuery(OverviewService.method.getOverview, {
    filters: [{ filter: { case: "projectId", value: { id } } }],
    top: mostCounted,
    days: 1,
  });
}

/** How many assignments of a project there are in which organization. Each count leads to them. */
function Holders({ id, project }: Props) {
  const query = useCounted(id);
  const where = { projectId: id, organizationId: project?.organizationId };
  const mayAssign = mayChange(useCaller(), "user.grant.write", where);
  const { totalResult = 0, inOtherOrganizations = 0 } = query.data ?? {};
  return (
    <ListSection
      title={words.holders.title}
      actions={
        <>
          {totalResult > 0 && (
            <Link className="button" to="/assignments" search={{ filters: [{ projectId: { id } }] }}>
              {words.holders.all(totalResult)}
            </Link>
          )}
          {project && project.totalRoles > 0 && mayAssign && (
            <Link
              className="button primary"
              to="/assignments"
              search={{ create: { project: id, organization: project.organizationId } }}
            >
              {partWords.newAssignment}
            </Link>
          )}
        </>
      }
      query={query}
      rowsOf={({ organizations }) => organizations}
      keyOf={({ organization }) => organization?.id}
      none={words.holders.none}
      rest={inOtherOrganizations > 0 && <Nothing>{words.holders.inOthers(inOtherOrganizations)}</Nothing>}
    >
      {({ organization, count }) => (
        <>
          <OrganizationLink organization={organization} />
          <Link
            to="/assignments"
            search={{ filters: [{ projectId: { id } }, { organizationId: { id: organization?.id ?? "" } }] }}
          >
            {words.roles.holders(count)}
            <span className="visually-hidden"> {words.holders.in(organization?.name ?? "")}</span>
          </Link>
        </>
      )}
    </ListSection>
  );
}
