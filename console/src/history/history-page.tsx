import "./history.css";
import { AuthorizationHistoryService } from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { UnreadableFilters } from "../filters/unreadable-filters.tsx";
import { isUnreachable } from "../parts/failure.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { OldAnswer } from "../parts/old-answer.tsx";
import { Pager } from "../parts/pager.tsx";
import { EventsTable } from "./events-table.tsx";
import { HistoryFilters } from "./history-filters.tsx";
import { NoEvents } from "./no-events.tsx";
import { pageSize, requestOf } from "./request.ts";
import type { HistorySearch } from "./search.ts";

const route = getRouteApi("/history");

/** What became of the assignments the caller may know of: who did what, when, newest first. */
export function HistoryPage() {
  const search = route.useSearch();
  if (search.unreadable === undefined) return <History search={search} />;
  return (
    <UnreadableFilters problem={`Not readable: ${search.unreadable.join(", ")}.`}>
      <route.Link to="/history" search={{}}>
        Show all changes
      </route.Link>
    </UnreadableFilters>
  );
}

function History({ search }: { search: HistorySearch }) {
  const navigate = route.useNavigate();
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(
    AuthorizationHistoryService.method.listAuthorizationEvents,
    requestOf(search, new Date()),
    { placeholderData: keepPreviousData },
  );
  const isOld = error !== null && data !== undefined && isUnreachable(error);

  return (
    <div className="history">
      <title>History · Authorizations</title>
      <h1 className="visually-hidden">History</h1>
      <HistoryFilters search={search} onChange={(changed) => void navigate({ search: changed })} />
      <div className="history-tools">
        <Pager
          search={search}
          limit={pageSize}
          answer={data?.pagination}
          rows={data?.events.length ?? 0}
          of={["change", "changes"]}
        />
        <button type="button" onClick={() => void refetch()} aria-disabled={isFetching}>
          {isFetching ? "Refreshing…" : "Refresh"}
        </button>
      </div>
      {isOld && <OldAnswer />}
      {error && !isOld ? (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      ) : data?.events.length === 0 ? (
        <NoEvents search={search} />
      ) : (
        <EventsTable
          events={data?.events}
          isOutdated={isPlaceholderData}
          // Filters by type or actor leave out events between those of one assignment.
          isGapless={search.types === undefined && search.actor === undefined}
        />
      )}
    </div>
  );
}
