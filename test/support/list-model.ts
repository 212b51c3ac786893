import { applyChanges } from "../oracle/model/apply-changes.ts";
import type { Change } from "../oracle/model/change.ts";
import { type ListRequest, listAuthorizations } from "../oracle/model/list.ts";
import { emptyWorld, type World } from "../oracle/model/world.ts";

/** What ListAuthorizations promises, by the model of the oracle. */
export type ListModel = {
  readonly world: World;
  /** The body the service is to answer with, field by field; `someToken` stands for a token. */
  list(callerId: string, request: ListRequest): ListAnswer;
};

export type ListAnswer = {
  pagination: { totalResult: number; appliedLimit: number; nextPageToken: string };
  authorizations: ListedAuthorization[];
};

export type ListedAuthorization = Record<string, any>;

/** Lines are in the import format. */
export function listModel(lines: readonly object[]): ListModel {
  const world = worldOf(lines);
  return { world, list: (callerId, request) => listAuthorizations(world, callerId, request) as ListAnswer };
}

/** The model's world after an import. */
export function worldOf(lines: readonly object[]): World {
  const world = emptyWorld();
  applyChanges(world, null, lines as Change[], { now: () => 0n, isPast: () => false });
  return world;
}
