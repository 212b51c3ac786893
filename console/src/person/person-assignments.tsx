import {
  type Authorization,
  AuthorizationFieldName,
  AuthorizationService,
  type Organization,
} from "@authorization-service/client";
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
  const query = useAssignments(id);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  const found = data?.pages.flatMap(({ authorizations }) => authorizations) ?? [];
  const caller = useCaller();
  const mayAssign = maySomewhere(caller, "user.grant.write");
  const isOwn = caller?.user?.id === id;
  const total = data?.pages[0]?.pagination?.totalResult ?? 0;
  return (
    <Section
      title={words.title}
      count={data && total}
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
      {data && found.length === 0 && (isOwn ? <Nothing>{words.none}</Nothing> : <None>{words.none}</None>)}
      <Places assignments={found} />
      {hasNextPage && (
        <button type="button" aria-disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? pageWords.loading : pageWords.showMore(total - found.length)}
        </button>
      )}
    </Section>
  );
}

/** Sorted by the name of the organization, so those of one organization stay together across pages. */
function useAssignments(id: string) {
  return useInfiniteQuery(
    AuthorizationService.method.listAuthorizations,
    {
      filters: [{ filter: { case: "userId", value: { id } } }],
      sortingColumn: AuthorizationFieldName.ORGANIZATION_NAME,
      pagination,
    },
    growingBy(pagination),
  );
}

function Places({ assignments }: { assignments: readonly Authorization[] }) {
  const ownerOf = useOrganizations(assignments.map(({ project }) => project?.organizationId));
  return byOrganization(assignments).map(([organization, held]) => (
    <section key={organization.id} className="stack" aria-label={organization.name}>
      <h3>
        <OrganizationLink organization={organization} />
      </h3>
      <ul className="plain-list">
        {held.map((assignment) => (
          <li key={assignment.id}>
            <span className="row-name">
              <ProjectLink project={assignment.project} />
              {!isOwned(assignment) && ownerOf && (
                <span className="muted">
                  {" "}
                  {words.granted(ownerOf(assignment.project?.organizationId)?.name ?? pageWords.anotherOrganization)}
                </span>
              )}
            </span>
            <RoleChips roles={assignment.roles} most={mostRoles} />
            <StateBadge of={assignment} />
            <Link to="/assignments" search={{ id: assignment.id }}>
              <span aria-hidden="true">{words.open}</span>
              <span className="visually-hidden">{words.openOf(assignment.project?.name ?? "", organization.name)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  ));
}

/** In each organization, projects are sorted by name. */
function byOrganization(assignments: readonly Authorization[]): [Organization, Authorization[]][] {
  const groups = new Map<string, [Organization, Authorization[]]>();
  for (const assignment of assignments) {
    const { organization } = assignment;
    if (organization === undefined) continue;
    const [, held] = groups.get(organization.id) ?? [organization, []];
    groups.set(organization.id, [organization, [...held, assignment]]);
  }
  const byProject = (a: Authorization, b: Authorization) =>
    (a.project?.name ?? "").localeCompare(b.project?.name ?? "", locale);
  return [...groups.values()].map(([organization, held]) => [organization, held.sort(byProject)]);
}
