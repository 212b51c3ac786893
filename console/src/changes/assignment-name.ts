import type { Authorization } from "@authorization-service/client";

/** The assignment's user, by the best available name. */
export function userName({ user }: Authorization): string {
  return user?.displayName || user?.preferredLoginName || user?.id || "";
}

/** The assignment's project and organization. */
export function placeName({ project, organization }: Pick<Authorization, "project" | "organization">): string {
  return `${project?.name || project?.id} in ${organization?.name || organization?.id}`;
}

/** The assignment's name within a sentence. */
export function assignmentName(authorization: Authorization): string {
  return `${userName(authorization)}’s assignment for ${placeName(authorization)}`;
}

/** `1 assignment`, `2,000 assignments`. */
export function assignments(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? "assignment" : "assignments"}`;
}
