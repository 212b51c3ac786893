import type { Instant } from "../authorization/authorization.ts";
import type { Caller } from "../authorization/permissions.ts";

/** A personal access token as an operator sees it; the token itself is not kept. */
export type TokenRecord = {
  readonly id: string;
  readonly userId: string;
  readonly creationDate: Instant;
  /** Undefined when the token never expires. */
  readonly expirationDate: Instant | undefined;
};

/** Where callers are known from. */
export type CallerStore = {
  /** The user whose unexpired token has this hash, with its rights of this moment. */
  findByToken(hash: Buffer, signal: AbortSignal): Promise<Caller | undefined>;
  /** The user with its rights of this moment; undefined when the directory has no such user. */
  findByUserId(userId: string, signal: AbortSignal): Promise<Caller | undefined>;
};

/** Where operators make and revoke tokens. */
export type TokenStore = {
  /** Keeps a token for a user. Resolves to its id, or undefined when there is no such user. */
  create(request: { userId: string; hash: Buffer; expiresInSeconds: number | undefined }): Promise<string | undefined>;
  /** All tokens, or those of one user, oldest first. Expired ones stay listed until they are revoked. */
  list(userId: string | undefined): Promise<TokenRecord[]>;
  /** Ends a token at once; false when there is no such token. */
  revoke(id: string): Promise<boolean>;
};
