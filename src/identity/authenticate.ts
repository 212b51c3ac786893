import type { Caller } from "../authorization/permissions.ts";
import { Refusal } from "../authorization/refusal.ts";
import type { VerifyJwt } from "./jwt.ts";
import type { CallerStore } from "./store.ts";
import { bearerToken, hashToken, isPersonalAccessToken } from "./tokens.ts";

/** How to recognize callers. */
export type Credentials = {
  readonly callers: CallerStore;
  /** Undefined: no JWT is accepted. */
  readonly verifyJwt: VerifyJwt | undefined;
};

/**
 * Finds the caller. Missing, malformed, unknown, expired, revoked and wrongly signed credentials all get the same
 * UNAUTHENTICATED, so the answer reveals nothing about which tokens and users exist.
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

/** The same answer for everything that can be wrong with credentials, and for a removed user. */
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
