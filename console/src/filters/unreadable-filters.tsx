import type { AuthorizationsSearchFilter } from "@authorization-service/client";
import type { ReactNode } from "react";
import { type AssignmentsSearch, FiltersUnreadable, filtersOf } from "../assignments/search.ts";
import { filterWords } from "../words/filters.ts";

type Props = {
  search: Pick<AssignmentsSearch, "filters">;
  /** A link to the view without filters. */
  withoutFilters: ReactNode;
  children: (filters: AuthorizationsSearchFilter[]) => ReactNode;
};

/** A view by the filters of its address. */
export function ByFilters({ search, withoutFilters, children }: Props) {
  let filters: AuthorizationsSearchFilter[];
  try {
    filters = filtersOf(search);
  } catch (error) {
    if (!(error instanceof FiltersUnreadable)) throw error;
    return <UnreadableFilters problem={error.message}>{withoutFilters}</UnreadableFilters>;
  }
  return children(filters);
}

/** Takes the place of a view if the filters in its address are invalid. Its child links to the view without them. */
export function UnreadableFilters({ problem, children }: { problem: string; children: ReactNode }) {
  return (
    <section className="notice notice-failure" role="alert">
      <h1>{filterWords.unreadable.title}</h1>
      <p>{filterWords.unreadable.advice}</p>
      <p>{children}</p>
      <details>
        <summary>{filterWords.unreadable.details}</summary>
        <p>{problem}</p>
      </details>
    </section>
  );
}
