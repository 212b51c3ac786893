import { Link } from "@tanstack/react-router";
import type { HistorySearch } from "../history/search.ts";
import { historyWords } from "../words/history.ts";

/** Leads from a page to its own part of the history. */
export function HistoryLink({ search, of = "all" }: { search: HistorySearch; of?: keyof typeof historyWords.links }) {
  return (
    <Link className="button" to="/history" search={search}>
      {historyWords.links[of]}
    </Link>
  );
}
