import { type Authorization, AuthorizationService, State } from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { requestOf } from "../assignments/search.ts";
import { useCaller } from "../caller.ts";
import { Answered, Nothing } from "../directory/answered.tsx";
import { Page, Section } from "../directory/page.tsx";
import { Things } from "../directory/things.tsx";
import { OrganizationLink, ProjectLink } from "../parts/links.tsx";
import { Moment } from "../parts/moment.tsx";
import { RoleChips } from "../parts/role-chips.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { justNow } from "../session/queries.ts";
import { ownAccessWords as words } from "../words/access.ts";

const { columns } = words;
/** Enough to recognize an assignment. Its details have the others. */
const mostRoles = 12;

/** The first page of someone who administers nothing: what they may do, where, since when, and whom to ask. */
export function YourAccessPage() {
  const user = useCaller()?.user;
  // What the table asks for, so the answer may be there already.
  const asked = AuthorizationService.method.listAuthorizations;
  const query = useQuery(asked, requestOf({}, []), { staleTime: justNow });
  return (
    <Page name={words.title}>
      <Answered query={query} shape={{ rows: 4, columns: 3 }}>
        {({ authorizations, pagination }) => {
          const more = (pagination?.totalResult ?? 0) - authorizations.length;
          return (
            <>
              {authorizations.length === 0 ? (
                <Nothing>{words.none}</Nothing>
              ) : (
                <Access authorizations={authorizations} />
              )}
              {more > 0 && (
                <Link to="/assignments" search={{ filters: [{ userId: { id: user?.id ?? "" } }] }}>
                  {words.more(more)}
                </Link>
              )}
              <Section title={words.ask}>
                <p>{words.advice(organizationsOf(authorizations))}</p>
              </Section>
            </>
          );
        }}
      </Answered>
    </Page>
  );
}

function Access({ authorizations }: { authorizations: readonly Authorization[] }) {
  return (
    <Things
      label={words.title}
      columns={[columns.project, columns.roles, columns.organization, columns.since, columns.ends]}
    >
      {authorizations.map((assignment) => {
        const { id, project, organization, roles, state, creationDate, expirationDate } = assignment;
        return (
          <tr key={id}>
            <th scope="row">
              <ProjectLink project={project} />
            </th>
            <td>
              <RoleChips roles={roles} most={mostRoles} />
              {state !== State.ACTIVE && <StateBadge of={assignment} />}
            </td>
            <td>
              <OrganizationLink organization={organization} />
            </td>
            <td>
              <span className="cell-label">{columns.since}</span> <Moment at={creationDate} />
            </td>
            <td>
              <span className="cell-label">{columns.ends}</span>{" "}
              {expirationDate ? <Moment at={expirationDate} /> : words.never}
            </td>
          </tr>
        );
      })}
    </Things>
  );
}

function organizationsOf(authorizations: readonly Authorization[]): string[] {
  return [...new Set(authorizations.map(({ organization }) => organization?.name ?? ""))].filter(Boolean).sort();
}
