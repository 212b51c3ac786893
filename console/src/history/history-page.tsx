import "./history.css";
import { AuthorizationHistoryService } from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { UnreadableFilters } from "../filters/unreadable-filters.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { OldAnswer } from "../parts/old-answer.tsx";
import { Pager } from "../parts/pager.tsx";
import { RefreshButton } from "../parts/refresh-button.tsx";
import { useShown } from "../parts/use-shown.ts";
import { EventsTable } from "./events-table.tsx";
import { HistoryFilters } from "./history-filters.tsx";
import { NoEvents } from "./no-events.tsx";
import { requestOf } from "./request.ts";
import { type HistorySearch, readHistorySearch } from "./search.ts";

const route = getRouteApi("/history");

/** The history of the assignments that the caller may know of: who did what and when, newest first. */
export function HistoryPage() {
  // The router keeps parameters that readHistorySearch leaves out.
  const written = route.useSearch();
  const search = useMemo(() => readHistorySearch(written), [written]);
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
  const query = useQuery(AuthorizationHistoryService.method.listAuthorizationEvents, requestOf(search, new Date()), {
    placeholderData: keepPreviousData,
  });
  const { answer, isOutdated, isOld, failure } = useShown(query);
  const isEmpty = answer?.events.length === 0;

  return (
    <div className="history">
      <title>History · Authorizations</title>
      <h1 className="visually-hidden">History</h1>
      <HistoryFilters search={search} onChange={(changed) => void navigate({ search: changed })} />
      <div className="history-tools">
        <Pager
          search={search}
          answer={isOutdated ? undefined : answer?.pagination}
          rows={answer?.events.length ?? 0}
          of={["change", "changes"]}
        />
        <RefreshButton query={query} />
      </div>
      {isOld && <OldAnswer />}
      {failure ? (
        <FailureNotice error={failure} onRetry={() => void query.refetch()} />
      ) : isEmpty && !isOutdated ? (
        <NoEvents search={search} />
      ) : (
        <EventsTable
          events={isEmpty ? undefined : answer?.events}
          list={JSON.stringify(search)}
          isOutdated={isOutdated}
          // Filters by type or actor leave gaps between events of one assignment.
          isGapless={search.types === undefined && search.actor === undefined}
        />
      )}
    </div>
  );
}
