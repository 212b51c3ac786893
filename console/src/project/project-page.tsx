import { DirectoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Administrators } from "../directory/administrators.tsx";
import { Answered } from "../directory/answered.tsx";
import { CopyId } from "../directory/copy-id.tsx";
import { HistoryLink } from "../directory/history-link.tsx";
import { NotFound } from "../directory/not-found.tsx";
import { useOrganizations } from "../directory/organization-names.ts";
import { Page, Section } from "../directory/page.tsx";
import { withId } from "../directory/requests.ts";
import { readThingSearch } from "../directory/search.ts";
import { EntryActions, GiveEntry } from "../directory-changes/entry-actions.tsx";
import { inProject } from "../directory-changes/entry-place.ts";
import { DirectoryEvents } from "../history/latest-events.tsx";
import { RemovedPage } from "../history/removed-page.tsx";
import { OrganizationLink } from "../parts/links.tsx";
import { useShown } from "../parts/use-shown.ts";
import { matrixWords } from "../words/matrix.ts";
import { projectWords as words } from "../words/projects.ts";
import { ProjectActions } from "./project-actions.tsx";
import { ProjectGrants } from "./project-grants.tsx";
import { Holders } from "./project-holders.tsx";
import { ProjectRoles } from "./project-roles.tsx";
import { useHolders } from "./use-holders.ts";

const route = getRouteApi("/project");

/** A project: its roles, to whom it is granted, and who holds what in it. */
export function ProjectPage() {
  const { id = "" } = readThingSearch(route.useSearch());
  return <Project key={id} id={id} />;
}

function Project({ id }: { id: string }) {
  const query = useQuery(DirectoryService.method.listProjects, withId(id), { enabled: id !== "" });
  const holders = useHolders(id);
  const { answer } = useShown(query);
  const project = answer?.projects[0];
  const owner = useOrganizations([project?.organizationId])?.(project?.organizationId);
  if (id === "" || (answer && project === undefined)) {
    return (
      <RemovedPage
        kind="project"
        id={id}
        notFound={
          <NotFound title={words.notFound} advice={words.notFoundAdvice}>
            <Link to="/projects">{words.toProjects}</Link>
          </NotFound>
        }
      />
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
        within={{ scope: { case: "projectId", value: id } }}
        search={{ project: id }}
        actions={project && <GiveEntry place={inProject(project)} />}
        actionsOf={(entry) => <EntryActions entry={entry} />}
      />
      <Holders project={project} projectId={id} query={holders} />
      <Section title={words.history.title} actions={<HistoryLink search={{ project: id }} />}>
        <DirectoryEvents search={{ project: id }} none={words.history.none} />
      </Section>
    </Page>
  );
}
