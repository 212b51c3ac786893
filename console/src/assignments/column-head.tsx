import { assignmentWords as words } from "../words/assignments.ts";
import { sortOfColumn } from "./columns.tsx";
import type { AssignmentsSearch, Sort } from "./search.ts";

/** The head of a column. It is a button if the table can be sorted by it. */
export function ColumnHead({
  id,
  search,
  onSearch,
  children,
}: {
  id: string;
  search: AssignmentsSearch;
  onSearch: (search: AssignmentsSearch) => void;
  children: string;
}) {
  const sort = sortOfColumn[id];
  if (sort === undefined) {
    return (
      <th scope="col" data-column={id}>
        {children}
      </th>
    );
  }
  const isSorted = (search.sort ?? "created") === sort;
  const direction = search.asc ? "ascending" : "descending";
  return (
    <th scope="col" data-column={id} aria-sort={isSorted ? direction : "none"}>
      <button type="button" className="sorter" title={titleOf(sort)} onClick={() => onSearch(sortedBy(search, sort))}>
        {children}
        <span aria-hidden="true">{isSorted && (search.asc ? " ↑" : " ↓")}</span>
      </button>
    </th>
  );
}

function titleOf(sort: Sort): string {
  if (sort === "ends") return words.sortByEnd;
  return sort === "created" || sort === "changed"
    ? words.sortByDate(sort)
    : words.sortByName(words.sorts[sort].toLowerCase());
}

/** Another column starts with its newest date or with A. The same column reverses the order. Both show the first page. */
function sortedBy(search: AssignmentsSearch, sort: Sort): AssignmentsSearch {
  const { page: _, skipped: __, asc, sort: current = "created", ...rest } = search;
  const isDate = sort === "created" || sort === "changed";
  const ascending = current === sort ? !asc : !isDate;
  return { ...rest, ...(sort !== "created" && { sort }), ...(ascending && { asc: true }) };
}
