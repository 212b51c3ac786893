import { Link } from "@tanstack/react-router";
import { type HistorySearch, isFiltered } from "./search.ts";

/** Takes the place of the events if there are none, and says why that may be. */
export function NoEvents({ search }: { search: HistorySearch }) {
  const { page, skipped: _, ...filters } = search;
  if (page !== undefined) {
    return (
      <section className="notice">
        <h2>There is nothing on this page any more</h2>
        <Link to="/history" search={filters}>
          Go to the first page
        </Link>
      </section>
    );
  }
  return (
    <section className="notice">
      <h2>{isFiltered(search) ? "No change matches these filters" : "Nothing has changed yet"}</h2>
      <p>You see changes of what was assigned to you, and of assignments where you may see them today.</p>
      {isFiltered(search) && (
        <Link to="/history" search={{}}>
          Remove all filters
        </Link>
      )}
    </section>
  );
}
