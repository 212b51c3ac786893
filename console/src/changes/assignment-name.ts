import type { Authorization } from "@authorization-service/client";

/** Whose the assignment is, by the best name there is. */
export function userName({ user }: Authorization): string {
  return user?.displayName || user?.preferredLoginName || user?.id || "";
}

/** Where it is: the project and the organization. */
export function placeName({ project, organization }: Pick<Authorization, "project" | "organization">): string {
  return `${project?.name || project?.id} in ${organization?.name || organization?.id}`;
}

/** What a sentence calls the assignment. */
export function assignmentName(authorization: Authorization): string {
  return `${userName(authorization)}’s assignment for ${placeName(authorization)}`;
}

/** `1 assignment`, `2,000 assignments`. */
export function assignments(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? "assignment" : "assignments"}`;
}
