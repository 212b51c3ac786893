import { type AssignmentsSearch, readAssignmentsSearch } from "../assignments/search.ts";
import { readTexts } from "../directory/search.ts";

/** The address of a matrix: of a project with its roles, or of an organization with its projects. */
export type MatrixSearch = Pick<AssignmentsSearch, "filters" | "sort" | "asc"> & {
  readonly project?: string;
  readonly organization?: string;
};

/** Sorted by people's names, unless the address says otherwise. */
export function readMatrixSearch(search: Record<string, unknown>): MatrixSearch {
  const { filters, sort, asc } = readAssignmentsSearch(search);
  return {
    ...readTexts(search, ["project", "organization"]),
    ...(filters !== undefined && { filters }),
    ...(sort === undefined ? { sort: "user", asc: true } : { sort, ...(asc && { asc }) }),
  };
}
