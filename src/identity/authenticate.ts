import { Refusal } from "../authorization/refusal.ts";
import type { Unacceptable, VerifyJwt } from "./jwt.ts";
import type { CallerMemory, RememberedCaller } from "./remembered-callers.ts";
import type { CallerStore, FoundCaller, Identified } from "./store.ts";
import type { TokenUses } from "./token-uses.ts";
import { bearerToken, hashToken, isPersonalAccessToken } from "./tokens.ts";

/** How to recognize callers. */
export type Credentials = {
  readonly callers: CallerStore;
  readonly memory: CallerMemory;
  /** Undefined: no JWT is accepted. */
  readonly verifyJwt: VerifyJwt | undefined;
  /** Undefined: uses of tokens are not noted. */
  readonly tokenUses?: Pick<TokenUses, "note"> | undefined;
};

type Options = {
  readonly signal: AbortSignal;
  /** Whether a caller may be taken over from an earlier request, to be proven later. */
  readonly mayRemember: boolean;
  /** Called with the user whose these credentials were before, who is looked up now. */
  readonly expect?: (userId: string) => void;
  /** Called with what is wrong, for the operators' log. */
  readonly unacceptable?: Unacceptable;
};

/** The caller, who is only remembered or was looked up. */
export type Authenticated = Identified & { readonly remembered: RememberedCaller | undefined };

/**
 * Finds the caller. Missing, malformed, unknown, expired, revoked and wrongly signed credentials all get the same
 * UNAUTHENTICATED, so the answer reveals nothing about which tokens and users exist.
 */
export async function authenticate(
  credentials: Credentials,
  authorizationHeader: string | null,
  options: Options,
): Promise<Authenticated> {
  const { unacceptable = () => {} } = options;
  const token = bearerToken(authorizationHeader);
  if (token === undefined) unacceptable("no bearer token");
  const found = token === undefined ? undefined : await find(credentials, token, { ...options, unacceptable });
  if (found === undefined) throw unauthenticated();
  return found;
}

/** The same answer for everything that can be wrong with credentials, and for a removed user. */
export function unauthenticated(): Refusal {
  return new Refusal("UNAUTHENTICATED", "send a valid token as Authorization: Bearer <token>");
}

async function find(
  { callers, memory, verifyJwt, tokenUses }: Credentials,
  token: string,
  { signal, mayRemember, expect, unacceptable }: Options & { readonly unacceptable: Unacceptable },
): Promise<Authenticated | undefined> {
  async function recallOr(key: string, tokenHash: Buffer | undefined, find: () => Promise<FoundCaller | undefined>) {
    const lookUp = async () => {
      const caller = await find();
      memory.keep(key, caller);
      return caller;
    };
    const usable = () => {
      const known = memory.recall(key);
      if (known === undefined || (mayRemember && !known.isDoubted)) return known;
      expect?.(known.caller.userId);
      return undefined;
    };
    // Many requests may come at once whose caller isn't remembered yet. One looks it up, and the others prove it.
    const ahead = memory.lookUps.get(key);
    if (mayRemember && ahead !== undefined && usable() === undefined) await ahead.catch(() => {});
    const known = usable();
    if (known !== undefined) {
      const remembered = { caller: known.caller, tokenHash, doubt: () => memory.doubt(key) };
      return { caller: known.caller, tokenHash, remembered };
    }
    const finding = lookUp();
    memory.lookUps.set(key, finding);
    const caller = await finding.finally(() => memory.lookUps.delete(key));
    return caller && { caller, tokenHash, remembered: undefined };
  }
  if (isPersonalAccessToken(token)) {
    const hash = hashToken(token);
    const found = await recallOr(hash.toString("base64"), hash, () => callers.findByToken(hash, signal));
    if (found === undefined) unacceptable("the personal access token is unknown, expired or revoked");
    if (found?.caller.tokenId !== undefined) tokenUses?.note(found.caller.tokenId);
    return found;
  }
  if (verifyJwt === undefined) unacceptable("not a personal access token, and JWT_ISSUER is not set");
  const userId = await verifyJwt?.(token, signal, unacceptable);
  if (userId === undefined) return undefined;
  const found = await recallOr(`user ${userId}`, undefined, () => callers.findByUserId(userId, signal));
  if (found === undefined) unacceptable("no user has the id in the JWT");
  return found;
}
