import { type Authorization, AuthorizationFieldName, AuthorizationService } from "@authorization-service/client";
import type { ListedProject } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { isOwned } from "../assignments/columns.tsx";
import { Answered, None } from "../directory/answered.tsx";
import { useOrganizations } from "../directory/organization-names.ts";
import { Section } from "../directory/page.tsx";
import { Person } from "../directory/person.tsx";
import { rowsOfPage } from "../directory/requests.ts";
import type { RoleSearch } from "../directory/search.ts";
import { Things } from "../directory/things.tsx";
import { OrganizationLink } from "../parts/links.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { pageWords } from "../words/pages.ts";
import { roleWords as words } from "../words/role.ts";

/** Who holds a role, by organization: as its owner, or through a grant. The table has those that are too many here. */
export function RoleHolders({ search, project }: { search: RoleSearch; project: ListedProject | undefined }) {
  const { project: projectId = "", key = "" } = search;
  const query = useQuery(AuthorizationService.method.listAuthorizations, {
    filters: [
      { filter: { case: "projectId", value: { id: projectId } } },
      { filter: { case: "roleKey", value: { key } } },
    ],
    sortingColumn: AuthorizationFieldName.ORGANIZATION_NAME,
    pagination: { limit: rowsOfPage, asc: true },
  });
  const owner = useOrganizations([project?.organizationId])?.(project?.organizationId);
  const total = query.data?.pagination?.totalResult ?? 0;
  return (
    <Section
      title={words.holders}
      actions={
        total > 0 && (
          <Link
            className="button"
            to="/assignments"
            search={{ filters: [{ projectId: { id: projectId } }, { roleKey: { key } }] }}
          >
            {words.inTable(total)}
          </Link>
        )
      }
    >
      <Answered query={query} shape={{ rows: 4, columns: 3 }}>
        {({ authorizations }) =>
          authorizations.length === 0 ? (
            <None>{words.none}</None>
          ) : (
            <Table held={authorizations} owner={owner?.name ?? pageWords.anotherOrganization} />
          )
        }
      </Answered>
    </Section>
  );
}

function Table({ held, owner }: { held: readonly Authorization[]; owner: string }) {
  return (
    <Things
      label={words.holders}
      columns={[words.columns.person, words.columns.organization, words.columns.through, words.columns.state]}
    >
      {held.map((assignment) => (
        <tr key={assignment.id}>
          <th scope="row">{assignment.user && <Person user={assignment.user} />}</th>
          <td>
            <OrganizationLink organization={assignment.organization} />
          </td>
          <td>{isOwned(assignment) ? words.owned : words.throughGrant(owner)}</td>
          <td>
            <StateBadge of={assignment} />
          </td>
        </tr>
      ))}
    </Things>
  );
}
