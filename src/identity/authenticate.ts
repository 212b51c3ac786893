import type { Caller } from "../authorization/permissions.ts";
import { Refusal } from "../authorization/refusal.ts";
import type { Unacceptable, VerifyJwt } from "./jwt.ts";
import type { CallerStore } from "./store.ts";
import type { TokenUses } from "./token-uses.ts";
import { bearerToken, hashToken, isPersonalAccessToken } from "./tokens.ts";

/** How to recognize callers. */
export type Credentials = {
  readonly callers: CallerStore;
  /** Undefined: no JWT is accepted. */
  readonly verifyJwt: VerifyJwt | undefined;
  /** Undefined: uses of tokens are not noted. */
  readonly tokenUses?: Pick<TokenUses, "note"> | undefined;
};

/**
 * Finds the caller. Missing, malformed, unknown, expired, revoked and wrongly signed credentials all get the same
 * UNAUTHENTICATED, so the answer reveals nothing about which tokens and users exist.
 *
 * @param unacceptable is called with what is wrong, for the operators' log
 */
export async function authenticate(
  credentials: Credentials,
  authorizationHeader: string | null,
  signal: AbortSignal,
  unacceptable: Unacceptable = () => {},
): Promise<Caller> {
  const token = bearerToken(authorizationHeader);
  if (token === undefined) unacceptable("no bearer token");
  const caller = token === undefined ? undefined : await findCaller(credentials, token, signal, unacceptable);
  if (caller === undefined) throw unauthenticated();
  return caller;
}

/** The same answer for everything that can be wrong with credentials, and for a removed user. */
export function unauthenticated(): Refusal {
  return new Refusal("UNAUTHENTICATED", "send a valid token as Authorization: Bearer <token>");
}

async function findCaller(
  { callers, verifyJwt, tokenUses }: Credentials,
  token: string,
  signal: AbortSignal,
  unacceptable: Unacceptable,
): Promise<Caller | undefined> {
  if (isPersonalAccessToken(token)) {
    const caller = await callers.findByToken(hashToken(token), signal);
    if (caller === undefined) unacceptable("the personal access token is unknown, expired or revoked");
    if (caller?.tokenId !== undefined) tokenUses?.note(caller.tokenId);
    return caller;
  }
  if (verifyJwt === undefined) unacceptable("not a personal access token, and JWT_ISSUER is not set");
  const userId = await verifyJwt?.(token, signal, unacceptable);
  if (userId === undefined) return undefined;
  const caller = await callers.findByUserId(userId, signal);
  if (caller === undefined) unacceptable("the sub of the JWT is not the id of a user");
  return caller;
}
