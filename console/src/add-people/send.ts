import type { Change } from "../directory-changes/use-change.ts";
import type { Line } from "./lines.ts";

/** People of one request, and the version of the dry run that found nothing in their way. */
export type Batch = { readonly lines: readonly Line[]; readonly version: string };

export function changeOf({ person }: Line, organizationId: string): Change {
  return { change: { case: "user", value: { ...person, organizationId, avatarUrl: "" } } };
}
