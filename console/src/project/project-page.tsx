import { OverviewService } from "@authorization-service/client";
import { DirectoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Administrators } from "../directory/administrators.tsx";
import { Answered } from "../directory/answered.tsx";
import { CopyId } from "../directory/copy-id.tsx";
import { useOrganizations } from "../directory/organization-names.ts";
import { Page } from "../directory/page.tsx";
import { withId } from "../directory/requests.ts";
import { readThingSearch } from "../directory/search.ts";
import { EntryActions, GiveEntry } from "../directory-changes/entry-actions.tsx";
import { inProject } from "../directory-changes/entry-place.ts";
import { ProjectActions } from "../directory-changes/named-actions.tsx";
import { HistorySection } from "../history/history-section.tsx";
import { RemovedPage } from "../history/removed-page.tsx";
import { OrganizationLink } from "../parts/links.tsx";
import { useShown } from "../parts/use-shown.ts";
import { matrixWords } from "../words/matrix.ts";
import { projectWords as words } from "../words/projects.ts";
import { ProjectGrants } from "./project-grants.tsx";
import { Holders } from "./project-holders.tsx";
import { ProjectRoles } from "./project-roles.tsx";

const route = getRouteApi("/project");

/** The most organizations and roles whose assignments the service counts. */
const mostCounted = 100;

/** A project: its roles, to whom it is granted, and who holds what in it. */
export function ProjectPage() {
  const { id = "" } = readThingSearch(route.useSearch());
  return <Project key={id} id={id} />;
}

function Project({ id }: { id: string }) {
  const query = useQuery(DirectoryService.method.listProjects, withId(id), { enabled: id !== "" });
  const ofProject = { filters: [{ filter: { case: "projectId" as const, value: { id } } }], top: mostCounted, days: 1 };
  const holders = useQuery(OverviewService.method.getOverview, ofProject, { enabled: id !== "" });
  const { answer } = useShown(query);
  const project = answer?.projects[0];
  const owner = useOrganizations([project?.organizationId])?.(project?.organizationId);
  if (id === "" || (answer && project === undefined)) {
    return (
      <RemovedPage kind="project" id={id} words={words}>
        <Link to="/projects">{words.toProjects}</Link>
      </RemovedPage>
    );
  }
  return (
    <Page
      name={project?.name ?? words.kind}
      kind={words.kind}
      within={owner ? [<OrganizationLink key="owner" organization={owner} />] : []}
      facts={project && <CopyId id={id} of={project.name} />}
      about={id}
      actions={
        project && (
          <>
            <Link className="button" to="/matrix" search={{ project: id }}>
              {matrixWords.open}
            </Link>
            <ProjectActions project={project} />
          </>
        )
      }
    >
      <Answered query={query} shape={{ rows: 3, columns: 2 }}>
        {({ projects: [found] }) =>
          found && (
            <>
              <ProjectRoles project={found} counts={holders.data?.roles} />
              <ProjectGrants project={found} />
            </>
          )
        }
      </Answered>
      <Administrators
        title={words.administrators.title}
        none={words.administrators.none}
        search={{ project: id }}
        actions={project && <GiveEntry place={inProject(project)} />}
        actionsOf={(entry) => <EntryActions entry={entry} />}
      />
      <Holders project={project} projectId={id} query={holders} />
      <HistorySection search={{ project: id }} />
    </Page>
  );
}
