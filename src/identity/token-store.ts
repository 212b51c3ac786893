import type { ActingUser, Actor } from "../authorization/actor.ts";
import type { Instant, User } from "../authorization/authorization.ts";
import type { Page, Paging } from "../authorization/list.ts";
import { type Caller, everywhere, requirePermission } from "../authorization/permissions.ts";
import { Refusal } from "../authorization/refusal.ts";

/** A personal access token as people see it. The token itself is not stored. */
export type TokenRecord = {
  readonly id: string;
  readonly name: string;
  readonly user: User;
  readonly creationDate: Instant;
  /** Undefined when the token never expires. */
  readonly expirationDate: Instant | undefined;
  /** At most five minutes before the last use. Undefined for a token that was never used. */
  readonly lastUseDate: Instant | undefined;
  /** Undefined for the command line. A user who has been removed has only an id, which is also the display name. */
  readonly maker: User | undefined;
};

/** The most unexpired tokens of a user that a caller can add to. */
export const mostTokens = 100;

export type AskedToken = {
  readonly userId: string;
  readonly name: string;
  readonly hash: Buffer;
  readonly lifetimeMicroseconds: bigint;
};

export type CreatedToken = {
  readonly id: string;
  readonly expirationDate: Instant;
  /** Whether the token ends earlier than asked, with the token it was made with. */
  readonly shortened: boolean;
};

/** Which tokens to list, and which page, sorted by creation date, then by id. */
export type TokenQuery = Paging<TokenPosition> & {
  readonly userId: string;
  readonly ascending: boolean;
};

export type TokenPosition = { readonly creationDate: Instant; readonly id: string };

/** Stores tokens on behalf of callers. Each change appends one event for each token, in the same transaction. */
export type TokenStore = {
  /**
   * Creates a token. What counts are the rights and tokens that are stored at that moment: throws UNAUTHENTICATED if the
   * caller or its own token is gone, PERMISSION_DENIED if the token is for another user and the caller may not create
   * it, USER_NOT_FOUND, and TOO_MANY_TOKENS.
   *
   * @param madeWith the token that the caller uses; undefined for a JWT
   */
  create(
    asked: AskedToken,
    madeWith: string | undefined,
    actor: ActingUser,
    signal: AbortSignal,
  ): Promise<CreatedToken>;

  /** One page of a user's tokens, without those that expired long ago. Undefined if there is no such user. */
  list(query: TokenQuery, signal: AbortSignal): Promise<Page<TokenRecord, TokenPosition> | undefined>;

  /**
   * Revokes a token, all made with it, and all made with those. Resolves to how many that are, 0 if there is no such
   * token. Throws PERMISSION_DENIED if the actor lost the permission for any token meanwhile.
   *
   * @param ownerId only a token of this user; undefined for any token
   */
  revoke(id: string, ownerId: string | undefined, actor: Actor, signal: AbortSignal): Promise<number>;
};

/**
 * The user whose tokens a request is about. Throws PERMISSION_DENIED, whether or not there is such a user, if it is
 * another one and the caller may not manage the tokens of all.
 *
 * @param userId empty for the caller
 */
export function requireManages(caller: Caller, userId: string): string {
  if (userId === "" || userId === caller.userId) return caller.userId;
  requirePermission(caller, "directory.write", everywhere);
  return userId;
}

/** For callers who may know of any user. */
export function noSuchUser(): Refusal {
  return new Refusal("USER_NOT_FOUND", "userId: there is no such user");
}
