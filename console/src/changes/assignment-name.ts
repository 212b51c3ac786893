import type { Authorization } from "@authorization-service/client";
import { assignmentChangeWords as words } from "../words/assignment-changes.ts";

/** The assignment's user, by the best available name. */
export function userName({ user }: Authorization): string {
  return user?.displayName || user?.preferredLoginName || user?.id || "";
}

/** The assignment's project and organization. */
export function placeName({ project, organization }: Pick<Authorization, "project" | "organization">): string {
  return words.place(project?.name || `${project?.id}`, organization?.name || `${organization?.id}`);
}

/** The assignment's name within a sentence. */
export function assignmentName(authorization: Authorization): string {
  return words.assignmentOf(userName(authorization), placeName(authorization));
}

/** Such as `2,000 assignments`. One is called by its name. */
export function nameOfAll(rows: readonly Authorization[]): string {
  const [one] = rows;
  return one && rows.length === 1 ? assignmentName(one) : words.assignments(rows.length);
}

/** An assignment with a remark, in a list. */
export type ListedRow = { readonly row: Authorization; readonly text: string; readonly isBad?: boolean };
