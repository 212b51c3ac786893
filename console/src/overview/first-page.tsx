import { AuthorizationService, type PaginationResponse } from "@authorization-service/client";
import { DirectoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { NoAssignments } from "../assignments/no-assignments.tsx";
import { requestOf } from "../assignments/search.ts";
import { useCaller } from "../caller.ts";
import { Page, Section } from "../directory/page.tsx";
import { maySomewhere } from "../directory/rights.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { justNow } from "../session/queries.ts";
import { firstPageWords as words } from "../words/first-page.ts";
import { frameWords } from "../words/frame.ts";
import { locale } from "../words/language/language.ts";
import { partWords } from "../words/parts.ts";
import { Attention } from "./attention.tsx";

const one = { pagination: { limit: 1 } };

/** What an administrator begins with: what needs attention, and the ways to everything else. */
export function FirstPage() {
  const mayAssign = maySomewhere(useCaller(), "user.grant.write");
  // What the table asks for, so the answer may be there already.
  const assignments = useQuery(AuthorizationService.method.listAuthorizations, requestOf({}, []), {
    staleTime: justNow,
  });
  const counted: { [Way in keyof typeof words.ways]?: { pagination?: PaginationResponse | undefined } | undefined } = {
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
      {assignments.data?.authorizations.length === 0 && <NoAssignments search={{}} />}
      {assignments.error && !assignments.data && (
        <FailureNotice error={assignments.error} onRetry={() => void assignments.refetch()} />
      )}
      <Attention />
      <Section title={words.goTo}>
        <ul className="plain-list">
          {(Object.keys(words.ways) as (keyof typeof words.ways)[]).map((way) => (
            <li key={way}>
              <Link to={`/${way}`}>
                <strong>{frameWords[way]}</strong>
              </Link>
              <span className="muted">{words.ways[way]}</span>
              <span className="page-actions">{counted[way]?.pagination?.totalResult.toLocaleString(locale)}</span>
            </li>
          ))}
        </ul>
      </Section>
    </Page>
  );
}
