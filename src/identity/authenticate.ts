import type { Caller } from "../authorization/permissions.ts";
import { Refusal } from "../authorization/refusal.ts";
import type { CallerStore } from "./store.ts";
import { bearerToken, hashToken } from "./tokens.ts";

/**
 * Finds out who asks. Missing, malformed, unknown, expired and revoked credentials get the same
 * UNAUTHENTICATED, so that an answer says nothing about which tokens exist.
 */
export async function authenticate(
  callers: CallerStore,
  authorizationHeader: string | null,
  signal: AbortSignal,
): Promise<Caller> {
  const token = bearerToken(authorizationHeader);
  const caller = token === undefined ? undefined : await callers.findByToken(hashToken(token), signal);
  if (caller === undefined) throw new Refusal("UNAUTHENTICATED", "a valid bearer token is needed");
  return caller;
}
