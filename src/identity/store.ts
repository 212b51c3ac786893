import type { Caller } from "../authorization/permissions.ts";

/** A caller, and the version of its entries: equal versions mean equal entries. Null for a user who never had any. */
export type FoundCaller = Caller & { readonly version: string | null };

/** Finds callers. */
export type CallerStore = {
  /** The user whose unexpired token has this hash, with its current rights and the token's id. */
  findByToken(hash: Buffer, signal: AbortSignal): Promise<FoundCaller | undefined>;
  /** The user with its current rights; undefined if the directory has no such user. */
  findByUserId(userId: string, signal: AbortSignal): Promise<FoundCaller | undefined>;
};
