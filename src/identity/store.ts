import type { Caller } from "../authorization/permissions.ts";

/** Finds callers. */
export type CallerStore = {
  /** The user whose unexpired token has this hash, with its current rights and the token's id. */
  findByToken(hash: Buffer, signal: AbortSignal): Promise<Caller | undefined>;
  /** The user with its current rights; undefined if the directory has no such user. */
  findByUserId(userId: string, signal: AbortSignal): Promise<Caller | undefined>;
};
