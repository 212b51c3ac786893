import type { Caller } from "../authorization/permissions.ts";
import { Refusal } from "../authorization/refusal.ts";
import type { VerifyJwt } from "./jwt.ts";
import type { CallerStore } from "./store.ts";
import { bearerToken, hashToken, isPersonalAccessToken } from "./tokens.ts";

/** What callers are known by. */
export type Credentials = {
  readonly callers: CallerStore;
  /** Undefined: no JWT is accepted. */
  readonly verifyJwt: VerifyJwt | undefined;
};

/**
 * Finds out who asks. Missing, malformed, unknown, expired, revoked and wrongly signed credentials get the same
 * UNAUTHENTICATED, so that an answer says nothing about which tokens and users exist.
 */
export async function authenticate(
  credentials: Credentials,
  authorizationHeader: string | null,
  signal: AbortSignal,
): Promise<Caller> {
  const token = bearerToken(authorizationHeader);
  const caller = token === undefined ? undefined : await findCaller(credentials, token, signal);
  if (caller === undefined) throw unauthenticated();
  return caller;
}

/** One answer for all that is wrong with credentials, and for a user that is gone. */
export function unauthenticated(): Refusal {
  return new Refusal("UNAUTHENTICATED", "send a valid token as Authorization: Bearer <token>");
}

async function findCaller(
  { callers, verifyJwt }: Credentials,
  token: string,
  signal: AbortSignal,
): Promise<Caller | undefined> {
  if (isPersonalAccessToken(token)) return callers.findByToken(hashToken(token), signal);
  const userId = await verifyJwt?.(token, signal);
  return userId === undefined ? undefined : callers.findByUserId(userId, signal);
}
