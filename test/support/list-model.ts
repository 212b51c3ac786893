import { applyChanges } from "../oracle/model/apply-changes.ts";
import type { Change } from "../oracle/model/change.ts";
import { type ListRequest, listAuthorizations } from "../oracle/model/list.ts";
import { emptyWorld } from "../oracle/model/world.ts";

/** What the service is to answer, field by field; `someToken` stands for a token. */
export type ListAnswer = {
  pagination: { totalResult: number; appliedLimit: number; nextPageToken: string };
  authorizations: Record<string, any>[];
};

/** What ListAuthorizations promises, by the model of the oracle, after an import of lines. */
export function listModel(lines: readonly object[]) {
  const world = emptyWorld();
  applyChanges(world, null, lines as Change[], { now: () => 0n, isPast: () => false });
  const list = (callerId: string, request: ListRequest) => listAuthorizations(world, callerId, request) as ListAnswer;
  return { world, list };
}
