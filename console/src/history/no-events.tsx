import { Link } from "@tanstack/react-router";
import { historyWords } from "../words/history.ts";
import { filtersOf } from "./request.ts";
import { type HistorySearch, isFiltered } from "./search.ts";

const words = historyWords.empty;

/** Takes the place of the events if there are none, and says why that may be. */
export function NoEvents({ search }: { search: HistorySearch }) {
  const { page, skipped: _, ...filters } = search;
  if (page !== undefined) {
    return (
      <section className="notice">
        <h2>{words.page}</h2>
        <Link to="/history" search={filters}>
          {words.first}
        </Link>
      </section>
    );
  }
  const { assignments, directory } = filtersOf(search, new Date());
  const isImpossible = assignments === undefined && directory === undefined;
  return (
    <section className="notice">
      <h2>{isImpossible ? words.impossible : isFiltered(search) ? words.filtered : words.all}</h2>
      <p>{isImpossible ? words.impossibleAdvice : words.advice}</p>
      {isFiltered(search) && (
        <Link to="/history" search={{}}>
          {historyWords.filters.removeAll}
        </Link>
      )}
    </section>
  );
}
