import { PaginationResponseSchema } from "@authorization-service/client";
import { create } from "@bufbuild/protobuf";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { Answered } from "../directory/answered.tsx";
import { Empty } from "../directory/empty.tsx";
import { Page } from "../directory/page.tsx";
import { ExportButton } from "../export/export-button.tsx";
import { UnreadableFilters } from "../filters/unreadable-filters.tsx";
import { useNews } from "../live/use-news.ts";
import { Pager } from "../parts/pager.tsx";
import { RefreshButton } from "../parts/refresh-button.tsx";
import { historyWords as words } from "../words/history.ts";
import { Changes } from "./changes.tsx";
import { written } from "./entry.ts";
import { historyFile } from "./export-history.ts";
import { HistoryFilters } from "./history-filters.tsx";
import { filtersOf, type HistorySearch, readHistorySearch } from "./search.ts";
import { type HistoryAnswer, useHistory } from "./use-history.ts";

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
  const { page, skipped: _, ...list } = search;
  const { assignments, directory } = filtersOf(search);
  const isAsked = assignments !== undefined || directory !== undefined;
  const followed = page === undefined ? assignments : undefined;
  const news = useNews({
    list: JSON.stringify(search),
    filters: followed && (() => followed),
    query,
    isNew: () => true,
  });

  return (
    <Page name={words.title} about={JSON.stringify(search)}>
      <HistoryFilters search={search} onChange={(changed) => void navigate({ search: changed })} />
      <div className="page-tools">
        <Pager
          search={search}
          answer={query.data && !query.isPlaceholderData ? paginationOf(query.data, search) : undefined}
          rows={query.data?.events ?? 0}
          of={words.changes}
        />
        <RefreshButton query={query} news={news} />
        <ExportButton exported={() => historyFile(search)} />
      </div>
      <Answered query={query} shape={{ rows: 12, columns: 3 }}>
        {({ lines }) =>
          lines.length > 0 ? (
            <Changes lines={lines} />
          ) : (
            <Empty
              words={isAsked ? words.empty : { ...words.empty, emptyAdvice: words.excluding }}
              search={search}
              list={list}
            />
          )
        }
      </Answered>
    </Page>
  );
}

function paginationOf({ total, next }: HistoryAnswer, { skipped = 0 }: HistorySearch) {
  return create(PaginationResponseSchema, {
    totalResult: skipped + total,
    nextPageToken: next === undefined ? "" : written(next),
  });
}
