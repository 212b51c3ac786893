import type { Caller } from "../authorization/permissions.ts";

/** A caller, and the version of its entries: equal versions mean equal entries. Null for a user who never had any. */
export type FoundCaller = Caller & { readonly version: string | null };

/** A caller, and the credentials by which it was found. */
export type Identified = {
  readonly caller: FoundCaller;
  /** The hash of the personal access token; undefined for a JWT. */
  readonly tokenHash: Buffer | undefined;
};

/** Finds callers. */
export type CallerStore = {
  /** The user whose unexpired token has this hash, with its current rights and the token's id. */
  findByToken(hash: Buffer, signal: AbortSignal): Promise<FoundCaller | undefined>;
  /** The user with its current rights; undefined if the directory has no such user. */
  findByUserId(userId: string, signal: AbortSignal): Promise<FoundCaller | undefined>;
  /** Those whose credentials are no longer valid, or whose entries are others now. */
  changedOf<One extends Identified>(all: readonly One[], signal: AbortSignal): Promise<One[]>;
};
