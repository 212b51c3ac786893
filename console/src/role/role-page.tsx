import { DirectoryService, type ListedProject, type ListedRole } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Answered } from "../directory/answered.tsx";
import { HistoryLink } from "../directory/history-link.tsx";
import { NotFound } from "../directory/not-found.tsx";
import { useOrganizations } from "../directory/organization-names.ts";
import { Page } from "../directory/page.tsx";
import { withId } from "../directory/requests.ts";
import { type RoleSearch, readRoleSearch } from "../directory/search.ts";
import { CopyButton } from "../panel/copy-button.tsx";
import { Facts } from "../parts/facts.tsx";
import { OrganizationLink, ProjectLink } from "../parts/links.tsx";
import { useShown } from "../parts/use-shown.ts";
import { projectWords } from "../words/projects.ts";
import { roleWords as words } from "../words/role.ts";
import { RoleHolders } from "./role-holders.tsx";

const route = getRouteApi("/role");

/** A role of a project: to whom it is granted, and who holds it where. */
export function RolePage() {
  const search = readRoleSearch(route.useSearch());
  return <Role key={`${search.project} ${search.key}`} search={search} />;
}

function Role({ search }: { search: RoleSearch }) {
  const { project: projectId = "", key = "" } = search;
  const query = useQuery(DirectoryService.method.listProjects, withId(projectId), { enabled: projectId !== "" });
  const { answer } = useShown(query);
  const project = answer?.projects[0];
  const owner = useOrganizations([project?.organizationId])?.(project?.organizationId);
  const role = answer?.projects[0]?.roles.find((one) => one.key === key);
  const isListed = answer?.projects[0]?.totalRoles === answer?.projects[0]?.roles.length;
  if (projectId === "" || key === "" || (answer && isListed && role === undefined)) {
    return (
      <NotFound title={words.notFound} advice={words.notFoundAdvice}>
        <Link to="/projects">{projectWords.toProjects}</Link>
      </NotFound>
    );
  }
  return (
    <Page
      name={role?.displayName || key}
      kind={words.kind}
      within={[
        owner && <OrganizationLink key="owner" organization={owner} />,
        <ProjectLink key="project" project={project} />,
      ].filter(Boolean)}
      about={JSON.stringify(search)}
      actions={<HistoryLink search={{ project: projectId, role: key }} />}
    >
      <Answered query={query} shape={{ rows: 3, columns: 2 }}>
        {({ projects: [project] }) => project && <About project={project} roleKey={key} role={role} />}
      </Answered>
      <RoleHolders search={search} project={answer?.projects[0]} />
    </Page>
  );
}

/** The service lists only the first thousand roles of a project. Of the others, only the key is known. */
function About(props: { project: ListedProject; roleKey: string; role: ListedRole | undefined }) {
  const { project, roleKey, role } = props;
  const grants = project.grants.filter(({ roleKeys }) => roleKeys.includes(roleKey));
  return (
    <Facts
      facts={{
        [words.facts.key]: (
          <>
            <code>{roleKey}</code> <CopyButton text={roleKey} what={words.keyOf} />
          </>
        ),
        [words.facts.group]: role?.group,
        [words.facts.description]: role?.description,
        [words.facts.grants]:
          grants.length === 0 ? (
            <span className="muted">{words.toNone}</span>
          ) : (
            <ul className="chips">
              {grants.map(({ id, organization }) => (
                <li key={id} className="chip">
                  <OrganizationLink organization={organization} />
                </li>
              ))}
            </ul>
          ),
      }}
    />
  );
}
