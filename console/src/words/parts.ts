/** The words of parts that several views have. */
export const partWords = {
  refresh: "Refresh",
  refreshing: "Refreshing…",
  export: "Export CSV",
  view: "View",
  search: "Search",
  newAssignment: "New assignment",
  slow: "The server is taking long to answer. The page keeps waiting.",
} as const;
