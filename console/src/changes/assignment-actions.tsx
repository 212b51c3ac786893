import type { Authorization } from "@authorization-service/client";

/** What the caller may do with an assignment. */
export function AssignmentActions(_: { authorization: Authorization; onGone: () => void }) {
  return null;
}
