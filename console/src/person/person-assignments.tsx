import { type Authorization, AuthorizationFieldName, AuthorizationService } from "@authorization-service/client";
import { useInfiniteQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { isOwned } from "../assignments/columns.tsx";
import { useCaller } from "../caller.ts";
import { None, Nothing } from "../directory/answered.tsx";
import { useOrganizations } from "../directory/organization-names.ts";
import { Section, Skeleton } from "../directory/page.tsx";
import { growingBy } from "../directory/requests.ts";
import { maySomewhere } from "../directory/rights.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { OrganizationLink, ProjectLink } from "../parts/links.tsx";
import { RoleChips } from "../parts/role-chips.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { compareWords } from "../words/compare.ts";
import { locale } from "../words/language/language.ts";
import { pageWords } from "../words/pages.ts";
import { personWords } from "../words/person.ts";

const words = personWords.assignments;
const pagination = { limit: 100, asc: true, pageToken: "" };
/** Enough to recognize an assignment. Its details have the others. */
const mostRoles = 12;

/** Every assignment of a person, by organization and project. */
export function PersonAssignments({ id }: { id: string }) {
  const request = {
    filters: [{ filter: { case: "userId" as const, value: { id } } }],
    // Those of one organization stay together across pages.
    sortingColumn: AuthorizationFieldName.ORGANIZATION_NAME,
    pagination,
  };
  const query = useInfiniteQuery(AuthorizationService.method.listAuthorizations, request, growingBy(pagination));
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  const found = data?.pages.flatMap(({ authorizations }) => authorizations) ?? [];
  const caller = useCaller();
  const mayAssign = maySomewhere(caller, "user.grant.write");
  const total = data?.pages[0]?.pagination?.totalResult ?? 0;
  return (
    <Section
      title={words.title}
      count={total}
      actions={
        <>
          <Link className="button" to="/compare" search={{ to: id }}>
            {mayAssign ? compareWords.open : compareWords.compare}
          </Link>
          {total > 0 && (
            <Link className="button" to="/assignments" search={{ filters: [{ userId: { id } }] }}>
              {words.inTable}
            </Link>
          )}
          {mayAssign && (
            <Link className="button primary" to="/assignments" search={{ create: { user: id } }}>
              {words.give}
            </Link>
          )}
        </>
      }
    >
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!error && data === undefined && <Skeleton rows={4} columns={3} />}
      {data &&
        found.length === 0 &&
        (caller?.user?.id === id ? <Nothing>{words.none}</Nothing> : <None>{words.none}</None>)}
      <Places assignments={found} />
      {hasNextPage && (
        <button type="button" aria-disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? pageWords.loading : pageWords.showMore(total - found.length)}
        </button>
      )}
    </Section>
  );
}

/** A section for each organization, with the assignments there by the name of the project. */
function Places({ assignments }: { assignments: readonly Authorization[] }) {
  const ownerOf = useOrganizations(assignments.map(({ project }) => project?.organizationId));
  const projectOf = ({ project }: Authorization) => project?.name ?? "";
  return [...Map.groupBy(assignments, ({ organization }) => organization?.id)].map(([id, held]) => {
    const organization = held[0]?.organization;
    return (
      <section key={id} className="lines" aria-label={organization?.name}>
        <h3>
          <OrganizationLink organization={organization} />
        </h3>
        <ul className="plain-list">
          {held
            .toSorted((a, b) => projectOf(a).localeCompare(projectOf(b), locale))
            .map((assignment) => (
              <li key={assignment.id}>
                <span className="row-name">
                  <ProjectLink project={assignment.project} />
                  {!isOwned(assignment) && ownerOf && (
                    <span className="muted">
                      {" "}
                      {words.granted(
                        ownerOf(assignment.project?.organizationId)?.name ?? pageWords.anotherOrganization,
                      )}
                    </span>
                  )}
                </span>
                <RoleChips roles={assignment.roles} most={mostRoles} />
                <StateBadge of={assignment} />
                <Link to="/assignments" search={{ id: assignment.id }}>
                  <span aria-hidden="true">{words.open}</span>
                  <span className="visually-hidden">
                    {words.openOf(projectOf(assignment), organization?.name ?? "")}
                  </span>
                </Link>
              </li>
            ))}
        </ul>
      </section>
    );
  });
}
