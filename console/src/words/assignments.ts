import { translated } from "./language/translated.ts";
import { titleOf } from "./product.ts";

/** The words of the table of assignments. */
export const assignmentWords = translated("assignmentWords", {
  title: "Assignments",
  pageTitle: titleOf("Assignments"),
  empty: "You see no assignments yet",
  emptyAdvice: "Your own assignments appear here, and those of everything that you administer.",
  selectPage: "Select all rows of this page",
  select: (user: string, project: string) => `Select ${user}, ${project}`,
  editRoles: (user: string, project: string) => `Edit the roles of ${user} in ${project}`,
  user: "Person",
  columns: {
    organization: "Organization",
    project: "Project",
    roles: "Roles",
    state: "State",
    ends: "Ends",
    created: "Created",
    changed: "Changed",
  },
  sorts: {
    created: "Created",
    changed: "Changed",
    ends: "Ends",
    id: "Id",
    user: "Person",
    project: "Project",
    organization: "Organization",
    "user-organization": "Id of the person's own organization",
  },
  sortBy: "Sort by",
  direction: "Direction",
  /** By what the table is sorted by. */
  directions: (sort: string) =>
    ({
      created: { down: "Newest first", up: "Oldest first" },
      changed: { down: "Newest first", up: "Oldest first" },
      ends: { down: "Latest first", up: "Soonest first" },
      id: { down: "Descending", up: "Ascending" },
      "user-organization": { down: "Descending", up: "Ascending" },
    })[sort] ?? { down: "From Z to A", up: "From A to Z" },
  pageSize: "Rows per page",
  columnsTitle: "Columns",
} as const);
