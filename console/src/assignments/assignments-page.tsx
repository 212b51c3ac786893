import "./assignments.css";
import {
  type Authorization,
  AuthorizationService,
  type AuthorizationsSearchFilter,
} from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { ListFilter } from "lucide-react";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { NewAssignment } from "../changes/new-assignment.tsx";
import { ExportButton } from "../export/export-button.tsx";
import { useFacetsShown } from "../facets/use-facets-shown.ts";
import { FilterBar } from "../filters/filter-bar.tsx";
import { ByFilters } from "../filters/unreadable-filters.tsx";
import { useNews } from "../live/use-news.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { OldAnswer } from "../parts/old-answer.tsx";
import { Pager } from "../parts/pager.tsx";
import { RefreshButton } from "../parts/refresh-button.tsx";
import { SlowNotice } from "../parts/slow-notice.tsx";
import { useShown } from "../parts/use-shown.ts";
import { unlessJustAnswered } from "../session/queries.ts";
import { assignmentWords as words } from "../words/assignments.ts";
import { facetWords } from "../words/facets.ts";
import { pageWords } from "../words/pages.ts";
import { partWords } from "../words/parts.ts";
import { AssignmentsTable } from "./assignments-table.tsx";
import { eventFilterOf, isNew } from "./news.ts";
import { NoAssignments } from "./no-assignments.tsx";
import { type AssignmentsSearch, filtersOf, readAssignmentsSearch, requestOf, sorts, withFilters } from "./search.ts";
import { ViewMenu } from "./view-menu.tsx";

const Facets = lazy(async () => ({ default: (await import("../facets/facets.tsx")).Facets }));
const Panel = lazy(async () => ({ default: (await import("../panel/panel.tsx")).Panel }));
const SelectionBar = lazy(async () => ({ default: (await import("../changes/selection-bar.tsx")).SelectionBar }));

const route = getRouteApi("/assignments");

type Filters = readonly AuthorizationsSearchFilter[];

type Selection = {
  /** The filters of the list that the rows were selected in. */
  readonly list: string;
  readonly rows: ReadonlyMap<string, Authorization>;
};

const nothingSelected: ReadonlyMap<string, Authorization> = new Map();

/** The table of assignments: shows what the address asks for, page by page. */
export function AssignmentsPage() {
  // The router keeps parameters that readAssignmentsSearch leaves out.
  const written = route.useSearch();
  const search = useMemo(() => readAssignmentsSearch(written), [written]);
  const all = (
    <route.Link to="/assignments" search={{}}>
      {words.showAll}
    </route.Link>
  );
  return (
    <ByFilters search={search} withoutFilters={all}>
      {(filters) => <Assignments search={search} filters={filters} />}
    </ByFilters>
  );
}

function Assignments({ search, filters }: { search: AssignmentsSearch; filters: ReturnType<typeof filtersOf> }) {
  const navigate = route.useNavigate();
  const asked = AuthorizationService.method.listAuthorizations;
  const query = useQuery(asked, requestOf(search, filters), {
    placeholderData: keepPreviousData,
    refetchOnMount: unlessJustAnswered,
  });
  const { answer, isOutdated, isOld, failure } = useShown(query);
  const isEmpty = answer?.authorizations.length === 0;
  // Selected rows stay selected on other pages of the same list.
  const list = JSON.stringify(search.filters ?? null);
  const [selection, setSelection] = useState<Selection>({ list, rows: nothingSelected });
  const selected = selection.list === list ? selection.rows : nothingSelected;
  const select = useCallback((rows: Selection["rows"]) => setSelection({ list, rows }), [list]);
  // As the table shows them now, because people decide on changes by what they see.
  const selectedRows = useMemo(() => {
    const shown = new Map(answer?.authorizations.map((row) => [row.id, row]));
    return [...selected.values()].map((row) => shown.get(row.id) ?? row);
  }, [selected, answer]);

  const go = useCallback(
    (next: AssignmentsSearch, how?: { continues: boolean }) =>
      void navigate({ search: next, replace: how?.continues ?? false }),
    [navigate],
  );
  // Opening a panel doesn't change the list or its previous pages.
  const stay = useCallback((next: AssignmentsSearch) => void navigate({ search: next, state: true }), [navigate]);
  // The view follows the address in the background. A second click must not drop what the first one changed.
  const router = useRouter();
  const latest = useCallback(() => readAssignmentsSearch(router.latestLocation.search), [router]);
  const open = useCallback((id: string) => stay({ ...latest(), id }), [stay, latest]);
  const close = useCallback(() => {
    const { id: _, ...rest } = latest();
    stay(rest);
  }, [stay, latest]);

  const facets = useFacetsShown(search.id !== undefined);
  const changeFilters = useCallback(
    (change: (filters: Filters) => Filters, how?: { continues: boolean }) =>
      go(withFilters(latest(), change(filtersOf(latest()))), how),
    [go, latest],
  );

  // What is open or hidden doesn't change the list.
  const { id: _, create: __, hidden: ___, ...listed } = search;
  const news = useNews({
    list: JSON.stringify(listed),
    filters: () => filters.flatMap(eventFilterOf),
    query,
    isNew: (event) => isNew(event, answer?.authorizations ?? []),
  });
  const [refreshedAt, setRefreshedAt] = useState(0);
  const refresh = () => {
    setRefreshedAt(Date.now());
    return query.refetch();
  };

  return (
    <div className="assignments">
      <title>{words.pageTitle}</title>
      {/* Not in the list, which is hidden behind the panel where it is narrow. */}
      <h1 className="visually-hidden">{words.title}</h1>
      {facets.isShown && (
        <div className="facets-place">
          {/* Loaded after the rows, so it doesn't delay them, but in a place of its own from the beginning. */}
          {(answer !== undefined || failure || facets.isAskedFor) && (
            <Suspense>
              <Facets
                filters={filters}
                onChange={(change) => {
                  changeFilters(change);
                  facets.leaveIfNarrow();
                }}
                total={isOutdated ? undefined : answer?.pagination?.totalResult}
                isListed={answer !== undefined && !isOutdated && !query.isFetching}
                refreshedAt={refreshedAt}
                isAskedFor={facets.isAskedFor}
                onClose={facets.close}
              />
            </Suspense>
          )}
        </div>
      )}
      <div className="assignments-list">
        <div className="line assignments-toolbar">
          <FilterBar filters={filters} onChange={(changed, how) => changeFilters(() => changed, how)} />
          <div className="assignments-tools">
            {facets.canShow && (
              <button type="button" aria-expanded={facets.isShown} title={facetWords.show} onClick={facets.toggle}>
                <ListFilter aria-hidden="true" />
                <span className="tool-label">{facetWords.show}</span>
              </button>
            )}
            <RefreshButton query={{ isFetching: query.isFetching, refetch: refresh }} news={news} />
            <ExportButton search={search} filters={filters} />
            <ViewMenu search={search} onChange={go} />
            <NewAssignment search={search} onSearch={stay} />
          </div>
        </div>
        <SlowNotice isWaiting={query.isFetching && (answer === undefined || isOutdated)} />
        {isOld && <OldAnswer />}
        {failure ? (
          <FailureNotice error={failure} onRetry={() => void query.refetch()} />
        ) : isEmpty && !isOutdated ? (
          <NoAssignments search={search} />
        ) : (
          <AssignmentsTable
            rows={isEmpty ? undefined : answer?.authorizations}
            search={search}
            isOutdated={isOutdated}
            selected={selected}
            onSelect={select}
            onOpen={open}
            onSearch={go}
          />
        )}
        {selectedRows.length > 0 && (
          <Suspense>
            <SelectionBar
              selected={selectedRows}
              list={{ filters, sortingColumn: sorts[search.sort ?? "created"], asc: search.asc ?? false }}
              total={answer?.pagination?.totalResult ?? 0}
              onSelect={(rows) => select(new Map(rows.map((row) => [row.id, row])))}
            />
          </Suspense>
        )}
        <footer className="assignments-foot">
          <Pager
            search={search}
            answer={isOutdated ? undefined : answer?.pagination}
            rows={answer?.authorizations.length ?? 0}
            of={pageWords.assignments}
          />
        </footer>
      </div>
      {search.id !== undefined && (
        <Suspense fallback={<aside className="panel" aria-label={partWords.assignment} aria-busy="true" />}>
          <Panel key={search.id} id={search.id} onClose={close} />
        </Suspense>
      )}
    </div>
  );
}
