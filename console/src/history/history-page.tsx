import "./history.css";
import { PaginationResponseSchema } from "@authorization-service/client";
import { create } from "@bufbuild/protobuf";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { Empty } from "../directory/empty.tsx";
import { ExportButton } from "../export/export-button.tsx";
import { UnreadableFilters } from "../filters/unreadable-filters.tsx";
import { useNews } from "../live/use-news.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { OldAnswer } from "../parts/old-answer.tsx";
import { Pager } from "../parts/pager.tsx";
import { RefreshButton } from "../parts/refresh-button.tsx";
import { useShown } from "../parts/use-shown.ts";
import { historyWords as words } from "../words/history.ts";
import { pageWords } from "../words/pages.ts";
import { written } from "./entry.ts";
import { historyFile } from "./export-history.ts";
import { HistoryFilters } from "./history-filters.tsx";
import { HistoryTable } from "./history-table.tsx";
import type { HistoryPage as Answer } from "./lines.ts";
import { filtersOf } from "./request.ts";
import { type HistorySearch, readHistorySearch } from "./search.ts";
import { useHistory } from "./use-history.ts";

const route = getRouteApi("/history");

/** The history of everything that the caller may know of: who did what and when, newest first. */
export function HistoryPage() {
  const written = route.useSearch();
  const search = useMemo(() => readHistorySearch(written), [written]);
  if (search.unreadable === undefined) return <History search={search} />;
  return <UnreadableFilters problem={words.filters.unreadable(search.unreadable.join(", "))} rest={{}} />;
}

function History({ search }: { search: HistorySearch }) {
  const navigate = route.useNavigate();
  const query = useHistory(search);
  const { answer, isOutdated, isOld, failure } = useShown(query);
  const isEmpty = answer?.lines.length === 0;
  const { page, skipped: _, ...list } = search;
  const { assignments, directory } = filtersOf(search, new Date());
  const isAsked = assignments !== undefined || directory !== undefined;
  const followed = page === undefined ? assignments : undefined;
  const news = useNews({
    list: JSON.stringify(search),
    filters: followed && (() => followed),
    query,
    isNew: () => true,
  });

  return (
    <div className="history">
      <title>{pageWords.titleOf(words.title)}</title>
      <h1 className="visually-hidden">{words.title}</h1>
      <HistoryFilters search={search} onChange={(changed) => void navigate({ search: changed })} />
      <div className="line history-tools">
        <Pager
          search={search}
          answer={isOutdated || answer === undefined ? undefined : paginationOf(answer, search)}
          rows={answer?.events ?? 0}
          of={words.changes}
        />
        <RefreshButton query={query} news={news} />
        <ExportButton exported={() => historyFile(search)} />
      </div>
      {isOld && <OldAnswer />}
      {failure ? (
        <FailureNotice error={failure} onRetry={() => void query.refetch()} />
      ) : isEmpty && !isOutdated ? (
        <Empty
          words={isAsked ? words.empty : { ...words.empty, emptyAdvice: words.excluding }}
          search={search}
          list={list}
        />
      ) : (
        <HistoryTable
          lines={isEmpty ? undefined : answer?.lines}
          list={JSON.stringify(search)}
          isOutdated={isOutdated}
        />
      )}
    </div>
  );
}

function paginationOf({ total, next }: Answer, { skipped = 0 }: HistorySearch) {
  return create(PaginationResponseSchema, {
    totalResult: skipped + total,
    nextPageToken: next === undefined ? "" : written(next),
  });
}
