import { AuthorizationFieldName, AuthorizationService } from "@authorization-service/client";
import { DirectoryService, type ListedProject, type ListedRole } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { isOwned } from "../assignments/columns.tsx";
import { Answered, ListSection } from "../directory/answered.tsx";
import { HistoryLink } from "../directory/history-link.tsx";
import { NotFound } from "../directory/not-found.tsx";
import { useOrganizations } from "../directory/organization-names.ts";
import { Page } from "../directory/page.tsx";
import { Person } from "../directory/person.tsx";
import { rowsOfPage, withId } from "../directory/requests.ts";
import { readRoleSearch } from "../directory/search.ts";
import { CopyButton } from "../panel/copy-button.tsx";
import { Facts } from "../parts/facts.tsx";
import { OrganizationLink, ProjectLink } from "../parts/links.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { useShown } from "../parts/use-shown.ts";
import { pageWords } from "../words/pages.ts";
import { roleWords as words } from "../words/role.ts";

const route = getRouteApi("/role");

/** A role of a project: to whom it is granted, and who holds it where. */
export function RolePage() {
  const { project: projectId = "", key: roleKey = "" } = readRoleSearch(route.useSearch());
  const query = useQuery(DirectoryService.method.listProjects, withId(projectId), { enabled: projectId !== "" });
  const { answer } = useShown(query);
  const project = answer?.projects[0];
  const owner = useOrganizations([project?.organizationId])?.(project?.organizationId);
  const role = project?.roles.find((one) => one.key === roleKey);
  // The service lists only the first thousand roles of a project. Of the others, only the key is known.
  const isListed = project?.totalRoles === project?.roles.length;
  if (projectId === "" || roleKey === "" || (answer && isListed && role === undefined))
    return <NotFound title={words.notFound} advice={words.notFoundAdvice} />;
  return (
    <Page
      name={role?.displayName || roleKey}
      kind={words.kind}
      within={[
        owner && <OrganizationLink key="owner" organization={owner} />,
        <ProjectLink key="project" project={project} />,
      ].filter(Boolean)}
      about={`${projectId} ${roleKey}`}
      actions={<HistoryLink search={{ project: projectId, role: roleKey }} />}
    >
      <Answered query={query} shape={{ rows: 3, columns: 2 }}>
        {() => project && <Facts facts={factsOf(project, roleKey, role)} />}
      </Answered>
      <Holders projectId={projectId} roleKey={roleKey} owner={owner?.name ?? pageWords.anotherOrganization} />
    </Page>
  );
}

function factsOf(project: ListedProject, key: string, role: ListedRole | undefined) {
  const grants = project.grants.filter(({ roleKeys }) => roleKeys.includes(key));
  return {
    [words.facts.key]: (
      <>
        <code>{key}</code> <CopyButton text={key} what={words.keyOf} />
      </>
    ),
    [words.facts.group]: role?.group,
    [words.facts.description]: role?.description,
    [words.facts.grants]: (
      <span className="line">
        {grants.length === 0 && words.toNone}
        {grants.map(({ id, organization }) => (
          <OrganizationLink key={id} organization={organization} />
        ))}
      </span>
    ),
  };
}

/** Who holds a role, by organization: as its owner, or through a grant. The table has those that are too many here. */
function Holders({ projectId, roleKey: key, owner }: { projectId: string; roleKey: string; owner: string }) {
  const query = useQuery(AuthorizationService.method.listAuthorizations, {
    filters: [
      { filter: { case: "projectId", value: { id: projectId } } },
      { filter: { case: "roleKey", value: { key } } },
    ],
    sortingColumn: AuthorizationFieldName.ORGANIZATION_NAME,
    pagination: { limit: rowsOfPage, asc: true },
  });
  const total = query.data?.pagination?.totalResult ?? 0;
  const filters = [{ projectId: { id: projectId } }, { roleKey: { key } }];
  return (
    <ListSection
      title={words.holders}
      actions={
        total > 0 && (
          <Link className="button" to="/assignments" search={{ filters }}>
            {words.inTable(total)}
          </Link>
        )
      }
      query={query}
      rowsOf={({ authorizations }) => authorizations}
      keyOf={({ id }) => id}
      none={words.none}
    >
      {(held) => (
        <>
          {held.user && <Person user={held.user} />}
          <OrganizationLink organization={held.organization} />
          <span className="muted">{isOwned(held) ? words.owned : words.throughGrant(owner)}</span>
          <StateBadge of={held} />
        </>
      )}
    </ListSection>
  );
}
