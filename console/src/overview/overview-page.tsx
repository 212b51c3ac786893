import "./overview.css";
import { type AuthorizationsSearchFilter, OverviewService } from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { withFilters } from "../assignments/search.ts";
import { Skeleton } from "../directory/page.tsx";
import { FilterBar } from "../filters/filter-bar.tsx";
import { ByFilters } from "../filters/unreadable-filters.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { OldAnswer } from "../parts/old-answer.tsx";
import { RefreshButton } from "../parts/refresh-button.tsx";
import { useShown } from "../parts/use-shown.ts";
import { locale } from "../words/language/language.ts";
import { overviewWords as words } from "../words/overview.ts";
import { pageWords } from "../words/pages.ts";
import { Counts } from "./counts.tsx";
import { tableOf } from "./links.ts";
import { dayRanges, type OverviewSearch, readOverviewSearch, tops } from "./search.ts";
import { assignments } from "./wording.ts";

const route = getRouteApi("/overview");
const time = new Intl.DateTimeFormat(locale, { timeStyle: "medium" });

type Filters = AuthorizationsSearchFilter[];

/** The overview: counts of assignments by organization, project, role, state and day. */
export function OverviewPage() {
  // The router keeps parameters that readOverviewSearch leaves out.
  const written = route.useSearch();
  const search = useMemo(() => readOverviewSearch(written), [written]);
  const navigate = route.useNavigate();
  const all = (
    <Link to="/overview" search={{}}>
      {words.showAll}
    </Link>
  );
  return (
    <ByFilters search={search} withoutFilters={all}>
      {(filters) => (
        <div className="view">
          <title>{pageWords.titleOf(words.title)}</title>
          <h1>{words.title}</h1>
          <FilterBar
            filters={filters}
            onChange={(changed, how) =>
              void navigate({ search: withFilters(search, changed), replace: how?.continues ?? false })
            }
          />
          {/* With other filters nothing of the counts before is true: they begin anew. */}
          <Overview key={JSON.stringify(search.filters)} search={search} filters={filters} />
        </div>
      )}
    </ByFilters>
  );
}

function Overview({ search, filters }: { search: OverviewSearch; filters: Filters }) {
  const request = { filters, top: search.top ?? tops[0], days: search.days ?? dayRanges[0] };
  const query = useQuery(OverviewService.method.getOverview, request, { placeholderData: keepPreviousData });
  const { answer, isOutdated, isOld, failure } = useShown(query);

  return (
    <>
      <div className="overview-tools">
        <p className="overview-total" aria-live="polite">
          {answer && (
            <Link to="/assignments" search={tableOf(filters)}>
              {assignments(answer.totalResult)}
            </Link>
          )}
          {answer && !isOutdated && <span className="muted"> {words.countedAt(time.format(query.dataUpdatedAt))}</span>}
        </p>
        <Choices search={search} />
        <RefreshButton query={query} />
      </div>
      {isOld && <OldAnswer />}
      {failure ? (
        <FailureNotice error={failure} onRetry={() => void query.refetch()} />
      ) : answer === undefined ? (
        <Skeleton rows={6} columns={2} />
      ) : answer.totalResult === 0 ? (
        <NothingToCount search={search} />
      ) : (
        <div className="overview-counts" data-outdated={isOutdated || undefined}>
          <Counts overview={answer} inForce={filters} />
        </div>
      )}
    </>
  );
}

/** How many rows are listed. */
function Choices({ search }: { search: OverviewSearch }) {
  const navigate = route.useNavigate();
  const choose = (chosen: OverviewSearch) => void navigate({ search: { ...search, ...chosen } });
  return (
    <>
      <label>
        {words.top}{" "}
        <select value={search.top ?? tops[0]} onChange={({ target }) => choose({ top: Number(target.value) })}>
          {tops.map((top) => (
            <option key={top}>{top}</option>
          ))}
        </select>
      </label>
      <label>
        {words.newest}{" "}
        <select value={search.days ?? dayRanges[0]} onChange={({ target }) => choose({ days: Number(target.value) })}>
          {dayRanges.map((days) => (
            <option key={days} value={days}>
              {words.days(days)}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

function NothingToCount({ search: { filters, ...rest } }: { search: OverviewSearch }) {
  return (
    <section className="notice">
      <h2>{filters === undefined ? words.empty : words.nothingMatches}</h2>
      <p>
        {filters === undefined ? (
          words.emptyAdvice
        ) : (
          <Link to="/overview" search={rest}>
            {words.removeFilters}
          </Link>
        )}
      </p>
    </section>
  );
}
