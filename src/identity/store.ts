import type { Instant } from "../authorization/authorization.ts";
import type { Caller } from "../authorization/permissions.ts";

/** A personal access token as an operator sees it. The token itself is not stored. */
export type TokenRecord = {
  readonly id: string;
  readonly userId: string;
  readonly creationDate: Instant;
  /** Undefined when the token never expires. */
  readonly expirationDate: Instant | undefined;
};

/** Finds callers. */
export type CallerStore = {
  /** The user whose unexpired token has this hash, with its current rights. */
  findByToken(hash: Buffer, signal: AbortSignal): Promise<Caller | undefined>;
  /** The user with its current rights; undefined if the directory has no such user. */
  findByUserId(userId: string, signal: AbortSignal): Promise<Caller | undefined>;
};

/** Stores the tokens that operators create and revoke. */
export type TokenStore = {
  /** Stores a token for a user. Resolves to its id, or undefined if there is no such user. */
  create(request: { userId: string; hash: Buffer; expiresInSeconds: number | undefined }): Promise<string | undefined>;
  /** All tokens, or those of one user, oldest first. Expired ones stay listed until they are revoked. */
  list(userId: string | undefined): Promise<TokenRecord[]>;
  /** Revokes a token. Resolves to false if there is no such token. */
  revoke(id: string): Promise<boolean>;
};
