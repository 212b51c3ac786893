import { locale } from "./language/language.ts";
import { translated } from "./language/translated.ts";

/** The words of parts that several views have. */
export const partWords = translated("partWords", {
  refresh: "Refresh",
  refreshing: "Refreshing…",
  /** Assignments that were changed since they were loaded. */
  news: (count: number) => (count < 100 ? `${count.toLocaleString(locale)} changed` : "Over 100 changed"),
  hasNews: "Some of this has changed. Refresh to see it.",
  export: "Export CSV",
  view: "View",
  search: "Search",
  control: "Ctrl",
  newAssignment: "New assignment",
  broken: "This part of the page can't be shown",
  brokenAdvice: "Reload the page. You stay signed in.",
  reload: "Reload the page",
  assignment: "Assignment",
  details: "Details",
  noDetails: "No more details.",
  requestId: "Request id:",
  retry: "Try again",
  old: "The server can't be reached. This is its last answer. The page keeps trying.",
  active: "Active",
  inactive: "Inactive",
  ended: "Ended",
  noRoles: "No roles",
  more: (count: number) => `${count.toLocaleString(locale)} more`,
  closeMessage: "Close the message",
} as const);
