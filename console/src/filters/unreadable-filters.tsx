import type { AuthorizationsSearchFilter } from "@authorization-service/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { type AssignmentsSearch, FiltersUnreadable, filtersOf } from "../assignments/search.ts";
import { filterWords } from "../words/filters.ts";
import { pageWords } from "../words/pages.ts";

type Props = {
  search: AssignmentsSearch;
  children: (filters: AuthorizationsSearchFilter[]) => ReactNode;
};

/** A view by the filters of its address. */
export function ByFilters({ search, children }: Props) {
  const { filters: _, page: __, skipped: ___, ...rest } = search;
  let filters: AuthorizationsSearchFilter[];
  try {
    filters = filtersOf(search);
  } catch (error) {
    if (!(error instanceof FiltersUnreadable)) throw error;
    return <UnreadableFilters problem={error.message} rest={rest} />;
  }
  return children(filters);
}

/** Takes the place of a view if the filters in its address are invalid, and links to it with the rest of its address. */
export function UnreadableFilters({ problem, rest }: { problem: string; rest: object }) {
  return (
    <section className="notice notice-failure" role="alert">
      <h1>{filterWords.unreadable.title}</h1>
      <p>{filterWords.unreadable.advice}</p>
      <p>
        <Link to="." search={rest}>
          {pageWords.clearSearch}
        </Link>
      </p>
      <details>
        <summary>{filterWords.unreadable.details}</summary>
        <p>{problem}</p>
      </details>
    </section>
  );
}
