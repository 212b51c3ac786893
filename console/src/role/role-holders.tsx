import { type Authorization, AuthorizationFieldName, AuthorizationService } from "@authorization-service/client";
import type { ListedProject } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { isOwned } from "../assignments/columns.tsx";
import { Answered, Nothing } from "../directory/answered.tsx";
import { useOrganizations } from "../directory/organization-names.ts";
import { Section } from "../directory/page.tsx";
import { pageOf, rowsOfPage } from "../directory/requests.ts";
import type { RoleSearch } from "../directory/search.ts";
import { Avatar } from "../parts/avatar.tsx";
import { OrganizationLink, PersonLink } from "../parts/links.tsx";
import { Pager } from "../parts/pager.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { pageWords } from "../words/pages.ts";
import { roleWords as words } from "../words/role.ts";

/** Who holds a role, by organization: as its owner, or through a grant. */
export function RoleHolders({ search, project }: { search: RoleSearch; project: ListedProject | undefined }) {
  const { project: projectId = "", key = "" } = search;
  const query = useQuery(
    AuthorizationService.method.listAuthorizations,
    {
      filters: [
        { filter: { case: "projectId", value: { id: projectId } } },
        { filter: { case: "roleKey", value: { key } } },
      ],
      sortingColumn: AuthorizationFieldName.ORGANIZATION_NAME,
      pagination: { ...pageOf(search), asc: true },
    },
    { placeholderData: keepPreviousData },
  );
  const answer = query.isPlaceholderData ? undefined : query.data?.pagination;
  const owner = useOrganizations([project?.organizationId])?.(project?.organizationId);
  const total = answer?.totalResult ?? 0;
  return (
    <Section
      title={words.holders}
      actions={
        total > 0 && (
          <Link
            className="button"
            to="/"
            search={{ filters: [{ projectId: { id: projectId } }, { roleKey: { key } }] }}
          >
            {words.inTable(total)}
          </Link>
        )
      }
    >
      <Answered query={query}>
        {({ authorizations }) =>
          authorizations.length === 0 ? (
            <Nothing>{words.none}</Nothing>
          ) : (
            <Table held={authorizations} owner={owner?.name ?? pageWords.anotherOrganization} />
          )
        }
      </Answered>
      {(search.page !== undefined || total > rowsOfPage) && (
        <Pager
          search={search}
          answer={answer}
          rows={query.data?.authorizations.length ?? 0}
          of={pageWords.assignments}
        />
      )}
    </Section>
  );
}

function Table({ held, owner }: { held: readonly Authorization[]; owner: string }) {
  return (
    <table className="things" aria-label={words.holders}>
      <thead>
        <tr>
          <th scope="col">{words.columns.person}</th>
          <th scope="col">{words.columns.organization}</th>
          <th scope="col">{words.columns.through}</th>
          <th scope="col">{words.columns.state}</th>
        </tr>
      </thead>
      <tbody>
        {held.map((assignment) => (
          <tr key={assignment.id}>
            <th scope="row">
              {assignment.user && (
                <span className="thing">
                  <Avatar user={assignment.user} />
                  <PersonLink user={assignment.user} />
                </span>
              )}
            </th>
            <td>
              <OrganizationLink organization={assignment.organization} />
            </td>
            <td>{isOwned(assignment) ? words.owned : words.throughGrant(owner)}</td>
            <td>
              <StateBadge state={assignment.state} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
