import "./overview.css";
import { type AuthorizationsSearchFilter as Filter, OverviewService } from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { NoAssignments } from "../assignments/no-assignments.tsx";
import { withFilters } from "../assignments/search.ts";
import { Answered } from "../directory/answered.tsx";
import { FilterBar } from "../filters/filter-bar.tsx";
import { ByFilters } from "../filters/unreadable-filters.tsx";
import { Choice } from "../parts/choice.tsx";
import { RefreshButton } from "../parts/refresh-button.tsx";
import { overviewWords as words } from "../words/overview.ts";
import { pageWords } from "../words/pages.ts";
import { Counts } from "./counts.tsx";
import { dayRanges, type OverviewSearch, readOverviewSearch } from "./search.ts";

const route = getRouteApi("/overview");

/** How many organizations, projects, and roles have a bar of their own. */
const mostNames = 25;

/** The overview: counts of assignments by organization, project, role, state and day. */
export function OverviewPage() {
  // The router keeps parameters that readOverviewSearch leaves out.
  const written = route.useSearch();
  const search = useMemo(() => readOverviewSearch(written), [written]);
  const navigate = route.useNavigate();
  return (
    <ByFilters search={search}>
      {(filters) => (
        <div className="view stack">
          <title>{pageWords.titleOf(words.title)}</title>
          <h1>{words.title}</h1>
          <FilterBar
            filters={filters}
            onChange={(changed, how) => void navigate({ search: withFilters(search, changed), ...how })}
          />
          <Overview key={JSON.stringify(search.filters)} search={search} filters={filters} />
        </div>
      )}
    </ByFilters>
  );
}

function Overview({ search, filters }: { search: OverviewSearch; filters: Filter[] }) {
  const navigate = route.useNavigate();
  const { days = dayRanges[0] } = search;
  const query = useQuery(
    OverviewService.method.getOverview,
    { filters, top: mostNames, days },
    { placeholderData: keepPreviousData },
  );
  return (
    <>
      <div className="page-tools">
        <Choice
          label={words.newest}
          value={days}
          options={dayRanges.map((one) => [one, words.days(one)])}
          onChange={(chosen) => void navigate({ search: { ...search, days: chosen } })}
        />
        <RefreshButton query={query} />
      </div>
      <Answered query={query} shape={{ rows: 6, columns: 2 }}>
        {(overview) =>
          overview.totalResult === 0 ? (
            <NoAssignments search={search} />
          ) : (
            <Counts overview={overview} inForce={filters} />
          )
        }
      </Answered>
    </>
  );
}
