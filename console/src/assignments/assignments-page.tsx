import "./assignments.css";
import {
  type Authorization,
  AuthorizationService,
  type AuthorizationsSearchFilter as Filter,
} from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ListFilter, Plus } from "lucide-react";
import { lazy, Suspense, useCallback, useMemo } from "react";
import { useCaller } from "../caller.ts";
import { repeatConcerned } from "../changes/changed-queries.ts";
import { maySomewhere } from "../directory/rights.ts";
import { ExportButton } from "../export/export-button.tsx";
import { assignmentsFile } from "../export/rows.ts";
import { useFacetsShown } from "../facets/use-facets-shown.ts";
import { FilterBar } from "../filters/filter-bar.tsx";
import { ByFilters } from "../filters/unreadable-filters.tsx";
import { useNews } from "../live/use-news.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { OldAnswer } from "../parts/old-answer.tsx";
import { Pager } from "../parts/pager.tsx";
import { RefreshButton } from "../parts/refresh-button.tsx";
import { useSelection } from "../parts/selection.tsx";
import { useShown } from "../parts/use-shown.ts";
import { justNow } from "../session/queries.ts";
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
const CreateDialog = lazy(async () => ({ default: (await import("../changes/create-dialog.tsx")).CreateDialog }));
const SelectionBar = lazy(async () => ({ default: (await import("../changes/selection-bar.tsx")).SelectionBar }));

const route = getRouteApi("/assignments");
const none: Authorization[] = [];

/** The table of assignments: shows what the address asks for, page by page. */
export function AssignmentsPage() {
  // The router keeps parameters that readAssignmentsSearch leaves out.
  const written = route.useSearch();
  const search = useMemo(() => readAssignmentsSearch(written), [written]);
  return <ByFilters search={search}>{(filters) => <Assignments search={search} filters={filters} />}</ByFilters>;
}

function Assignments({ search, filters }: { search: AssignmentsSearch; filters: Filter[] }) {
  const asked = AuthorizationService.method.listAuthorizations;
  const query = useQuery(asked, requestOf(search, filters), {
    placeholderData: keepPreviousData,
    staleTime: justNow,
  });
  const { answer, isOutdated, isOld, failure } = useShown(query);
  const rows = answer?.authorizations ?? none;
  const isEmpty = answer !== undefined && rows.length === 0;
  const selection = useSelection(JSON.stringify(search.filters ?? null), rows, isOutdated);

  const navigate = route.useNavigate();
  // The view follows the address in the background. A second click must not drop what the first one changed.
  const change = useCallback(
    (next: (now: AssignmentsSearch) => AssignmentsSearch, how?: { state?: true; replace?: boolean }) =>
      void navigate({ search: (now) => next(readAssignmentsSearch(now)), ...how }),
    [navigate],
  );
  // Opening a panel or a dialog doesn't change the list or its previous pages.
  const stay = (next: AssignmentsSearch) => change(() => next, { state: true });
  const open = useCallback((id: string) => change((now) => ({ ...now, id }), { state: true }), [change]);
  const facets = useFacetsShown(search.id !== undefined);

  // What is open or hidden doesn't change the list.
  const { id: _, create: __, hidden: ___, ...listed } = search;
  const news = useNews({
    list: JSON.stringify(listed),
    filters: () => filters.flatMap(eventFilterOf),
    query,
    isNew: (event) => isNew(event, rows),
  });
  const queries = useQueryClient();

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
                onChange={(next) => change((now) => withFilters(now, next(filtersOf(now))))}
                total={isOutdated ? undefined : answer?.pagination?.totalResult}
                isListed={answer !== undefined && !isOutdated && !query.isFetching}
                isAskedFor={facets.isAskedFor}
                onClose={facets.close}
              />
            </Suspense>
          )}
        </div>
      )}
      <div className="assignments-list">
        <div className="line assignments-toolbar">
          <FilterBar filters={filters} onChange={(changed, how) => change((now) => withFilters(now, changed), how)} />
          <div className="page-tools">
            {facets.canShow && (
              <button type="button" aria-expanded={facets.isShown} title={facetWords.show} onClick={facets.toggle}>
                <ListFilter aria-hidden="true" />
                <span className="tool-label">{facetWords.show}</span>
              </button>
            )}
            <RefreshButton
              query={{ isFetching: query.isFetching, refetch: async () => repeatConcerned(queries) }}
              news={news}
            />
            <ExportButton exported={() => assignmentsFile(search, filters)} />
            <ViewMenu search={search} onChange={(next) => change(() => next)} />
            <NewAssignment search={search} onSearch={stay} />
          </div>
        </div>
        {isOld && <OldAnswer />}
        {failure ? (
          <FailureNotice error={failure} onRetry={() => void query.refetch()} />
        ) : isEmpty && !isOutdated ? (
          <NoAssignments search={search} />
        ) : (
          <AssignmentsTable
            rows={rows.length === 0 ? undefined : rows}
            search={search}
            isOutdated={isOutdated}
            selection={selection}
            onOpen={open}
            onSearch={(next) => change(() => next)}
          />
        )}
        {selection.chosen.length > 0 && (
          <Suspense>
            <SelectionBar
              selected={selection.chosen}
              list={{ filters, sortingColumn: sorts[search.sort ?? "created"], asc: search.asc ?? false }}
              total={answer?.pagination?.totalResult ?? 0}
              onSelect={(chosen) => selection.onSelect(new Map(chosen.map((row) => [row.id, row])))}
            />
          </Suspense>
        )}
        <footer className="assignments-foot">
          <Pager
            search={search}
            answer={isOutdated ? undefined : answer?.pagination}
            rows={rows.length}
            of={pageWords.assignments}
          />
        </footer>
      </div>
      {search.id !== undefined && (
        <Suspense fallback={<aside className="panel" aria-label={partWords.assignment} aria-busy="true" />}>
          <Panel key={search.id} id={search.id} onClose={() => change(({ id: _, ...rest }) => rest, { state: true })} />
        </Suspense>
      )}
    </div>
  );
}

type NewAssignmentProps = { search: AssignmentsSearch; onSearch: (search: AssignmentsSearch) => void };

/**
 * The button for a new assignment, for people who may create one in any scope. The address says whether the dialog is
 * open.
 */
export function NewAssignment({ search, onSearch }: NewAssignmentProps) {
  const { create, ...rest } = search;
  const mayCreate = maySomewhere(useCaller(), "user.grant.write");
  if (!mayCreate) return null;
  return (
    <>
      <button type="button" className="primary" onClick={() => onSearch({ ...search, create: {} })}>
        <Plus aria-hidden="true" />
        {partWords.newAssignment}
      </button>
      {create && (
        <Suspense>
          <CreateDialog preset={create} onOpen={(id) => onSearch({ ...rest, id })} onClose={() => onSearch(rest)} />
        </Suspense>
      )}
    </>
  );
}
