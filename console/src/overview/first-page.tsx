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
  const people = useQuery(DirectoryService.method.listUsers, one);
  const projects = useQuery(DirectoryService.method.listProjects, one);
  const organizations = useQuery(DirectoryService.method.listOrganizations, one);
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
      <Section title={words.ways}>
        <ul className="tiles">
          <Way to="/people" name={frameWords.people} hint={words.people} counted={people.data} />
          <Way to="/projects" name={frameWords.projects} hint={words.projects} counted={projects.data} />
          <Way
            to="/organizations"
            name={frameWords.organizations}
            hint={words.organizations}
            counted={organizations.data}
          />
          <Way to="/administrators" name={frameWords.administrators} hint={words.administrators} />
          <Way to="/assignments" name={frameWords.assignments} hint={words.assignments} counted={assignments.data} />
          <Way to="/overview" name={frameWords.overview} hint={words.overview} />
          <Way to="/history" name={frameWords.history} hint={words.history} />
        </ul>
      </Section>
    </Page>
  );
}

type WayProps = {
  to: "/people" | "/projects" | "/organizations" | "/administrators" | "/assignments" | "/overview" | "/history";
  name: string;
  hint: string;
  counted?: { readonly pagination?: PaginationResponse | undefined } | undefined;
};

function Way({ to, name, hint, counted }: WayProps) {
  const total = counted?.pagination?.totalResult;
  return (
    <li>
      <Link to={to}>{name}</Link>
      {total !== undefined && <span>{total.toLocaleString(locale)}</span>}
      <span className="muted">{hint}</span>
    </li>
  );
}
