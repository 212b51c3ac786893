import {
  AuthorizationHistoryService,
  AuthorizationService,
  type AuthorizationsSearchFilter as Filter,
  type PaginationResponse,
  TextFilterMethod,
  TokenService,
} from "@authorization-service/client";
import { DirectoryHistoryService, DirectoryService } from "@authorization-service/client/directory";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { useQuery as useTanstackQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { type AssignmentsSearch, withFilters } from "../assignments/search.ts";
import { useCaller } from "../caller.ts";
import { Nothing } from "../directory/answered.tsx";
import { Section, Skeleton } from "../directory/page.tsx";
import { partSeen } from "../directory/rights.ts";
import { asFilter } from "../filters/content.ts";
import { totalOfEvents } from "../history/entry.ts";
import { OrganizationLink } from "../parts/links.tsx";
import { atMost } from "../settings.ts";
import { attentionWords as words } from "../words/attention.ts";
import { endingWithin } from "./links.ts";

/** What there is to look at: null if there is nothing, undefined while that isn't known, false if it can't be known. */
type Found = ReactNode | null | undefined;

/** What someone who looks after assignments would want to know before anything else. */
export function Attention() {
  // As it was at first, or every rendering would ask again.
  const [soon] = useState(() => endingWithin(7));
  const found: Record<string, Found> = {
    owners: useWithoutOwner(),
    roles: useCounted(withoutRoles, words.withoutRoles),
    ending: useCounted(soon, words.ending, { sort: "ends", asc: true }),
    tokens: useEndingTokens(),
    changes: useChangesSinceLastVisit(),
  };
  const lines = Object.values(found);
  const shown = Object.entries(found).filter(([, line]) => line);
  return (
    <Section title={words.title}>
      {shown.length > 0 ? (
        <ul className="plain-list">
          {shown.map(([about, line]) => (
            <li key={about}>{line}</li>
          ))}
        </ul>
      ) : (
        lines.includes(undefined) && <Skeleton />
      )}
      {lines.includes(false) && <Nothing>{words.unchecked}</Nothing>}
      {lines.every((line) => line === null) && <Nothing>{words.nothing}</Nothing>}
    </Section>
  );
}

/** The most organizations, and owners of them, that are compared. It is what a server usually answers with at most. */
const most = 1_000;
const mostNamed = 5;

/** Only for who sees all administrators: an owner that the reader can't see is an owner. */
function useWithoutOwner(): Found {
  const caller = useCaller();
  const seesAll = caller !== undefined && partSeen(caller) === undefined;
  const client = createClient(DirectoryService, useTransport());
  const organizations = useWhole("organizations", (pagination) => client.listOrganizations({ pagination }), seesAll);
  const owners = useWhole(
    "owners",
    (pagination) => client.listAdministrators({ role: "ORG_OWNER", pagination }),
    seesAll,
  );
  if (caller && !seesAll) return null;
  if (!organizations) return organizations;
  if (!owners) return owners;
  const owned = new Set(
    owners.entries.map(({ scope }) => (scope?.scope.case === "organization" ? scope.scope.value.id : "")),
  );
  const without = organizations.organizations.filter(({ id }) => !owned.has(id));
  if (without.length === 0) return null;
  return (
    <span className="line">
      {words.withoutOwner(without.length)}
      {without.slice(0, mostNamed).map((organization) => (
        <OrganizationLink key={organization.id} organization={organization} />
      ))}
      {without.length > mostNamed && words.more(without.length - mostNamed)}
    </span>
  );
}

/** A list of one page, as long as the server permits. False if there are more of them, or if it can't be read. */
function useWhole<Answer extends { readonly pagination?: PaginationResponse | undefined }>(
  name: string,
  ask: (pagination: { limit: number; asc: boolean }) => Promise<Answer>,
  enabled = true,
): Answer | false | undefined {
  const { data, error } = useTanstackQuery({
    queryKey: ["attention", name],
    queryFn: () => ask({ limit: atMost(most), asc: true }),
    enabled,
  });
  return error || data?.pagination?.nextPageToken ? false : data;
}

/** Every key contains the empty text. */
const anyRole = asFilter({ case: "roleKey", value: { key: "", method: TextFilterMethod.CONTAINS } });
const withoutRoles = [asFilter({ case: "not", value: anyRole })];

/** How many assignments match, as a link to them. */
function useCounted(filters: Filter[], text: (count: number) => string, order: AssignmentsSearch = {}): Found {
  const asked = AuthorizationService.method.listAuthorizations;
  const { data, error } = useQuery(asked, { filters, pagination: { limit: 1 } });
  if (data === undefined) return error ? false : undefined;
  const total = data.pagination?.totalResult ?? 0;
  return total === 0 ? null : (
    <Link to="/assignments" search={withFilters(order, filters)}>
      {text(total)}
    </Link>
  );
}

const soonMs = 14 * 86_400_000;
/** The most tokens that a server answers with. */
const mostTokens = 200;

/** The reader's own. They end without a message to anyone. */
function useEndingTokens(): Found {
  const client = createClient(TokenService, useTransport());
  const tokens = useWhole("tokens", ({ limit, asc }) =>
    client.listTokens({ pagination: { limit: Math.min(limit, mostTokens), asc } }),
  );
  if (!tokens) return tokens;
  const ending = tokens.tokens.filter(({ expirationDate }) => {
    const left = expirationDate ? timestampDate(expirationDate).getTime() - Date.now() : Number.POSITIVE_INFINITY;
    return left > 0 && left < soonMs;
  });
  return ending.length === 0 ? null : <Link to="/account">{words.tokens(ending.length)}</Link>;
}

function useChangesSinceLastVisit(): Found {
  const userId = useCaller()?.user?.id;
  const last = useMemo(() => (userId === undefined ? undefined : lastVisit(userId)), [userId]);
  useEffect(() => {
    if (userId !== undefined) noteVisit(userId);
  }, [userId]);
  const request = {
    filters: [{ filter: { case: "time" as const, value: { from: timestampFromDate(last ?? new Date()) } } }],
    pagination: { limit: 1 },
  };
  const enabled = last !== undefined;
  const ofAssignments = useQuery(AuthorizationHistoryService.method.listAuthorizationEvents, request, { enabled });
  const ofDirectory = useQuery(DirectoryHistoryService.method.listDirectoryEvents, request, { enabled });
  if (userId === undefined) return undefined;
  if (last === undefined) return null;
  if (ofAssignments.error || ofDirectory.error) return false;
  if (ofAssignments.data === undefined || ofDirectory.data === undefined) return undefined;
  const total = totalOfEvents(ofAssignments.data.pagination) + totalOfEvents(ofDirectory.data.pagination);
  return total === 0 ? null : (
    <Link to="/history" search={{ from: last.toISOString() }}>
      {words.changes(total)}
    </Link>
  );
}

const visit = "authorization-console.last-visit";

/** When a user last opened this page in this browser. Undefined if someone else opened it last, or no one did. */
function lastVisit(userId: string): Date | undefined {
  try {
    const [visitor, time] = JSON.parse(localStorage.getItem(visit) ?? "[]") as [string?, string?];
    return visitor === userId && time !== undefined ? new Date(time) : undefined;
  } catch {
    return undefined;
  }
}

function noteVisit(userId: string): void {
  try {
    localStorage.setItem(visit, JSON.stringify([userId, new Date().toISOString()]));
  } catch {
    // Then every visit is the first one.
  }
}
