import type { DirectoryEventFilter, ThingKind } from "../../directory/history.ts";
import { type Narrowing, narrow } from "./narrowing.ts";

/** All filters combined. An empty `actorId` stands for the command line. */
export type DirectoryNarrowing = Narrowing<"id" | "userId" | "actorId" | "organizationId" | "projectId", ThingKind> & {
  /** An event can belong to two organizations, but to one project only. */
  readonly otherOrganizationIds?: readonly string[];
};

/** As narrow says. */
export function narrowDirectory(filters: readonly DirectoryEventFilter[]): DirectoryNarrowing | undefined {
  const [first, ...others] = new Set(filters.flatMap((one) => (one.kind === "organizationId" ? [one.id] : [])));
  const narrowing = narrow(filters.filter((one) => one.kind !== "organizationId" || one.id === first || one.id === ""));
  return others.length === 0 ? narrowing : narrowing && { ...narrowing, otherOrganizationIds: others };
}
