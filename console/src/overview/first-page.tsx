import { AuthorizationService } from "@authorization-service/client";
import { DirectoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { NoAssignments } from "../assignments/no-assignments.tsx";
import { requestOf } from "../assignments/search.ts";
import { useCaller } from "../caller.ts";
import { ListSection } from "../directory/answered.tsx";
import { Page, Section } from "../directory/page.tsx";
import { Person } from "../directory/person.tsx";
import { maySomewhere } from "../directory/rights.ts";
import { ProjectLink } from "../parts/links.tsx";
import { Ago } from "../parts/moment.tsx";
import { RoleChips } from "../parts/role-chips.tsx";
import { justNow } from "../session/queries.ts";
import { firstPageWords as words } from "../words/first-page.ts";
import { frameWords } from "../words/frame.ts";
import { locale } from "../words/language/language.ts";
import { partWords } from "../words/parts.ts";
import { Attention } from "./attention.tsx";

const few = 5;
const one = { pagination: { limit: 1 } };

/** What an administrator begins with: what needs attention, the ways to everything else, and the newest assignments. */
export function FirstPage() {
  const mayAssign = maySomewhere(useCaller(), "user.grant.write");
  // What the table asks for, so the answer may be there already.
  const assignments = useQuery(AuthorizationService.method.listAuthorizations, requestOf({}, []), {
    staleTime: justNow,
  });
  const isEmpty = assignments.data?.authorizations.length === 0;
  const ways = {
    people: useQuery(DirectoryService.method.listUsers, one).data,
    projects: useQuery(DirectoryService.method.listProjects, one).data,
    organizations: useQuery(DirectoryService.method.listOrganizations, one).data,
    assignments: assignments.data,
  };
  return (
    <Page
      name={words.title}
      actions={
        mayAssign && (
          <Link className="button primary" to="/assignments" search={{ create: {} }}>
            {partWords.newAssignment}
          </Link>
        )
      }
    >
      {isEmpty && <NoAssignments search={{}} />}
      <Attention />
      <Section title={words.goTo}>
        <div className="line">
          {(Object.keys(ways) as (keyof typeof ways)[]).map((way) => (
            <Link key={way} className="button" to={`/${way}`}>
              {frameWords[way]}
              <span className="muted">{ways[way]?.pagination?.totalResult.toLocaleString(locale)}</span>
            </Link>
          ))}
        </div>
      </Section>
      {!isEmpty && (
        <ListSection
          title={words.newest}
          query={assignments}
          rowsOf={({ authorizations }) => authorizations.slice(0, few)}
          keyOf={({ id }) => id}
          none=""
        >
          {({ user, project, roles, creationDate }) => (
            <>
              {user && <Person user={user} />}
              <ProjectLink project={project} />
              <RoleChips roles={roles} most={few} />
              <Ago at={creationDate} />
            </>
          )}
        </ListSection>
      )}
    </Page>
  );
}
