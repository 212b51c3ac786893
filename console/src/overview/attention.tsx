import {
  AuthorizationHistoryService,
  AuthorizationService,
  type AuthorizationsSearchFilterSchema,
  type PaginationResponse,
  TextFilterMethod,
  TokenService,
} from "@authorization-service/client";
import { DirectoryHistoryService, DirectoryService } from "@authorization-service/client/directory";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { useQuery } from "@connectrpc/connect-query";
import { useIsFetching } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useMemo } from "react";
import { useCaller } from "../caller.ts";
import { Section, Skeleton } from "../directory/page.tsx";
import { partSeen } from "../directory/rights.ts";
import { asFilter } from "../filters/content.ts";
import { totalOfEvents } from "../history/total-of-events.ts";
import { OrganizationLink } from "../parts/links.tsx";
import { attentionWords as words } from "../words/attention.ts";
import { lastVisit, noteVisit } from "./last-visit.ts";
import { tableOf } from "./links.ts";

/** What there is to look at: null if there is nothing, undefined while, or because, that isn't known. */
type Found = ReactNode | null | undefined;

/** What someone who looks after assignments would want to know before anything else. */
export function Attention() {
  const found = [useWithoutOwner(), useWithoutRoles(), useEndingTokens(), useChangesSinceLastVisit()];
  const isEmpty = !found.some(Boolean);
  const isAsking = useIsFetching() > 0;
  return (
    <Section title={words.title}>
      {isEmpty ? (
        found.includes(undefined) ? (
          isAsking && <Skeleton />
        ) : (
          <p className="muted">{words.nothing}</p>
        )
      ) : (
        <ul className="plain-list">
          {/* biome-ignore lint/suspicious/noArrayIndexKey: each has its place. */}
          {found.map((line, at) => line && <li key={at}>{line}</li>)}
        </ul>
      )}
    </Section>
  );
}

/** The most organizations, and owners of them, that are compared. It is what a server answers with at most. */
const most = 1_000;
const mostNamed = 5;

/** Only for who sees all administrators: an owner that the reader can't see is an owner. */
function useWithoutOwner(): Found {
  const caller = useCaller();
  const seesAll = caller !== undefined && partSeen(caller) === undefined;
  const organizations = useQuery(
    DirectoryService.method.listOrganizations,
    { pagination: { limit: most } },
    { enabled: seesAll },
  );
  const owners = useQuery(
    DirectoryService.method.listAdministrators,
    { role: "ORG_OWNER", pagination: { limit: most, asc: true } },
    { enabled: seesAll },
  );
  if (caller && !seesAll) return null;
  if (!isWhole(organizations.data) || !isWhole(owners.data)) return undefined;
  const owned = new Set(
    owners.data.entries.map(({ scope }) => (scope?.scope.case === "organization" ? scope.scope.value.id : "")),
  );
  const without = organizations.data.organizations.filter(({ id }) => !owned.has(id));
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

function isWhole<Answer extends { readonly pagination?: PaginationResponse | undefined }>(
  answer: Answer | undefined,
): answer is Answer {
  return answer !== undefined && !answer.pagination?.nextPageToken;
}

/** Every key contains the empty text. */
const anyRole = asFilter({ case: "roleKey", value: { key: "", method: TextFilterMethod.CONTAINS } });
const withoutRoles = [asFilter({ case: "not", value: anyRole })];

function useWithoutRoles(): Found {
  const filters: MessageInitShape<typeof AuthorizationsSearchFilterSchema>[] = withoutRoles;
  const { data } = useQuery(AuthorizationService.method.listAuthorizations, { filters, pagination: { limit: 1 } });
  if (data === undefined) return undefined;
  const total = data.pagination?.totalResult ?? 0;
  return total === 0 ? null : (
    <Link to="/assignments" search={tableOf(withoutRoles)}>
      {words.withoutRoles(total)}
    </Link>
  );
}

const soonMs = 14 * 86_400_000;

/** The reader's own. They end without a message to anyone. */
function useEndingTokens(): Found {
  const { data } = useQuery(TokenService.method.listTokens, { pagination: { limit: 200 } });
  if (data === undefined) return undefined;
  const ending = data.tokens.filter(({ expirationDate }) => {
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
  if (ofAssignments.data === undefined || ofDirectory.data === undefined) return undefined;
  const total = totalOfEvents(ofAssignments.data.pagination) + totalOfEvents(ofDirectory.data.pagination);
  return total === 0 ? null : (
    <Link to="/history" search={{ from: last.toISOString() }}>
      {words.changes(total)}
    </Link>
  );
}
