import { type AssignmentsSearch, isSort } from "./search.ts";

type Props = {
  id: string;
  search: AssignmentsSearch;
  onSearch: (search: AssignmentsSearch) => void;
  children: string;
};

/** The head of a column. It is a button if the table can be sorted by it. */
export function ColumnHead({ id, search, onSearch, children }: Props) {
  if (!isSort(id)) {
    return (
      <th scope="col" data-column={id}>
        {children}
      </th>
    );
  }
  const { page: _, skipped: __, sort = "created", asc, ...rest } = search;
  const isSorted = sort === id;
  // Another column starts with its newest date or with A. The same column reverses the order. Both show the first page.
  const becomesAscending = isSorted ? !asc : id !== "created" && id !== "changed";
  const next = { ...rest, ...(id !== "created" && { sort: id }), ...(becomesAscending && { asc: true as const }) };
  return (
    <th scope="col" data-column={id} aria-sort={isSorted ? (asc ? "ascending" : "descending") : "none"}>
      <button type="button" className="opener" onClick={() => onSearch(next)}>
        {children}
        <span aria-hidden="true">{isSorted && (asc ? " ↑" : " ↓")}</span>
      </button>
    </th>
  );
}
