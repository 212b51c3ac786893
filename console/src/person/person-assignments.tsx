import { type Authorization, AuthorizationFieldName, AuthorizationService, State } from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { lazy } from "react";
import { isOwned } from "../assignments/columns.tsx";
import { useCaller } from "../caller.ts";
import { ListSection, Nothing } from "../directory/answered.tsx";
import { useOrganizations } from "../directory/organization-names.ts";
import { maySomewhere } from "../directory/rights.ts";
import { DialogButton } from "../directory-changes/dialog-button.tsx";
import { OrganizationLink, ProjectLink } from "../parts/links.tsx";
import { Ago } from "../parts/moment.tsx";
import { RoleChips } from "../parts/role-chips.tsx";
import { StateBadge } from "../parts/state-badge.tsx";
import { compareWords } from "../words/compare.ts";
import { locale } from "../words/language/language.ts";
import { pageWords } from "../words/pages.ts";
import { partWords } from "../words/parts.ts";
import { personWords } from "../words/person.ts";

const CreateDialog = lazy(async () => ({ default: (await import("../changes/create-dialog.tsx")).CreateDialog }));

const words = personWords.assignments;
const most = 200;
/** Enough to recognize an assignment. Its details have the others. */
const mostRoles = 12;

/** The assignments of a person, by organization and project. The table has those that are too many here. */
export function PersonAssignments({ id }: { id: string }) {
  const query = useQuery(AuthorizationService.method.listAuthorizations, {
    filters: [{ filter: { case: "userId", value: { id } } }],
    sortingColumn: AuthorizationFieldName.ORGANIZATION_NAME,
    pagination: { limit: most, asc: true },
  });
  const caller = useCaller();
  const mayAssign = maySomewhere(caller, "user.grant.write");
  const total = query.data?.pagination?.totalResult ?? 0;
  const listed = query.data?.authorizations ?? [];
  const isOff = listed.length === total && listed.every(({ state, expired }) => state === State.INACTIVE && !expired);
  const ownerOf = useOrganizations(listed.map(({ project }) => project?.organizationId));
  return (
    <ListSection
      title={total > 0 && isOff ? words.suspended : words.title}
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
            <DialogButton label={partWords.newAssignment} isPrimary>
              {(close) => <CreateDialog preset={{ user: id }} onClose={close} />}
            </DialogButton>
          )}
        </>
      }
      query={query}
      rowsOf={({ authorizations }) => byProject(authorizations)}
      keyOf={(assignment) => assignment.id}
      none={words.none}
      seesAll={caller?.user?.id === id}
      rest={total > most && <Nothing>{words.notListed(total - most)}</Nothing>}
    >
      {(assignment) => {
        const { project, organization, roles, expirationDate: end, expired } = assignment;
        return (
          <>
            <span className="row-name">
              <ProjectLink project={project} /> {words.in} <OrganizationLink organization={organization} />
              {!isOwned(assignment) && ownerOf && (
                <span className="muted">
                  {" "}
                  {words.granted(ownerOf(project?.organizationId)?.name ?? pageWords.anotherOrganization)}
                </span>
              )}
            </span>
            <RoleChips roles={roles} most={mostRoles} />
            <StateBadge of={assignment} />
            {end && !expired && (
              <span className="muted">
                {words.ends} <Ago at={end} />
              </span>
            )}
            <Link
              to="/assignments"
              search={{ id: assignment.id }}
              aria-label={words.openOf(project?.name ?? "", organization?.name ?? "")}
            >
              {words.open}
            </Link>
          </>
        );
      }}
    </ListSection>
  );
}

/** The service sorts by organization. In each, projects are sorted by name. */
function byProject(assignments: readonly Authorization[]): Authorization[] {
  const nameOf = ({ project }: Authorization) => project?.name ?? "";
  return [...Map.groupBy(assignments, ({ organization }) => organization?.id).values()].flatMap((held) =>
    held.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b), locale)),
  );
}
