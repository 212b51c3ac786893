import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTVerifyGetKey,
  jwtVerify,
} from "jose";
import { Refusal } from "../authorization/refusal.ts";
import { isStorable } from "../authorization/storable.ts";
import { unlessAborted } from "../authorization/unless-aborted.ts";
import { isAccessToken } from "./access-token.ts";
import { isKeyUrl } from "./key-url.ts";

/** The issuer whose JWTs are accepted. docs/reference/permissions.md says which of them are. */
export type JwtIssuer = {
  /** Exactly as it appears in the issuer's tokens and in its discovery document. */
  readonly issuer: string;
  readonly audience: string;
  /** The URL of its keys. Undefined: the one in its discovery document. */
  readonly jwksUrl: string | undefined;
  /** Whether a token's type must say that it is an access token. False by default. */
  readonly requireAtJwt?: boolean;
  /** The claim that has the id of the user. `sub` by default. */
  readonly userClaim?: string;
};

/** Told why credentials are not acceptable, in words that repeat nothing from them. */
export type Unacceptable = (why: string) => void;

/**
 * The user that a JWT stands for; undefined for any token that is not acceptable. Throws KEYS_UNAVAILABLE if the keys
 * can't be fetched, or the signal's reason if that comes first.
 */
export type VerifyJwt = (
  token: string,
  signal: AbortSignal,
  unacceptable?: Unacceptable,
) => Promise<string | undefined>;

/** Only algorithms that sign with a private key: a published key must never work as a shared secret. */
const algorithms = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];

/** How much the clocks of the issuer and of this service may differ. */
const clockToleranceSeconds = 30;

/** How long fetched keys are used, in milliseconds. A key that the issuer withdraws stops working after that time. */
const keysLastMs = 600_000;

/**
 * The shortest time between two fetches for unknown keys, in milliseconds. It limits the fetches that made-up tokens
 * can cause. A key that signs as soon as it is published is known after this time at the latest.
 */
const unknownKeyPauseMs = 5_000;

/** How long to wait after a failed fetch, in milliseconds. */
const failurePauseMs = 1_000;

/** How long it may take to find and fetch the keys, in milliseconds. */
const fetchTimeoutMs = 5_000;

/** How many requests may wait for keys at a time. The rest is refused at once: made-up tokens must not hold places. */
const mostWaiting = 50;

/** Verifies the JWTs of one issuer. Its keys are fetched when they are first needed, one fetch at a time. */
export function jwtVerifier(options: JwtIssuer): VerifyJwt {
  const { issuer, audience, jwksUrl, requireAtJwt = false, userClaim = "sub" } = options;
  let failedAt = Number.NEGATIVE_INFINITY;
  let untold: unknown;
  const isPausing = () => Date.now() < failedAt + failurePauseMs;

  let fetchedAt = Number.NEGATIVE_INFINITY;
  let waiting = 0;
  let known: { readonly since: number; readonly find: JWTVerifyGetKey } | undefined;

  const fetchKeys: FetchImplementation = async (_, options) => {
    if (isPausing()) throw new Error("the last fetch failed a moment ago");
    const response = await fetchDocument(jwksUrl ?? (await discoverJwksUrl(issuer, options)), options);
    fetchedAt = Date.now();
    return response;
  };
  // The URL is only a placeholder: fetchKeys finds the real one for each fetch.
  const keys = createRemoteJWKSet(new URL(jwksUrl ?? issuer), {
    timeoutDuration: fetchTimeoutMs,
    cacheMaxAge: keysLastMs,
    cooldownDuration: unknownKeyPauseMs,
    [customFetch]: fetchKeys,
  });

  /** Finds the key of a token. Keys that are known never wait for a fetch. */
  const findKey: JWTVerifyGetKey = async (header, token) => {
    const jwks = keys.fresh ? keys.jwks() : undefined;
    if (jwks !== undefined) {
      if (known?.since !== fetchedAt) known = { since: fetchedAt, find: createLocalJWKSet(jwks) };
      // In time, so that they stay known even if the issuer answers slowly.
      if (Date.now() > fetchedAt + keysLastMs / 2 && !keys.reloading) keys.reload().catch(note);
      try {
        return await known.find(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey) || keys.coolingDown) throw error;
      }
    }
    if (waiting >= mostWaiting) throw new Refusal("KEYS_UNAVAILABLE", "too many requests wait for keys; try again");
    waiting += 1;
    try {
      return await keys(header, token);
    } finally {
      waiting -= 1;
    }
  };
  const rules = {
    algorithms,
    issuer,
    audience,
    clockTolerance: clockToleranceSeconds,
    requiredClaims: ["exp", userClaim],
  };

  function note(error: unknown): void {
    if (isPausing()) return;
    failedAt = Date.now();
    untold = error;
  }

  /** Reports each failure to only one of the waiting requests, so that it is logged once. */
  function unavailable(error: unknown, signal: AbortSignal): Refusal {
    note(error);
    const cause = signal.aborted ? undefined : untold;
    if (!signal.aborted) untold = undefined;
    return new Refusal("KEYS_UNAVAILABLE", "the keys of the token's issuer can't be fetched; try again", {}, { cause });
  }

  const verify: VerifyJwt = async (token, signal, unacceptable = () => {}) => {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, findKey, rules);
      const isAccess = isAccessToken(protectedHeader, payload, requireAtJwt);
      if (!isAccess) unacceptable("the JWT is not an access token");
      else if ("cnf" in payload) unacceptable(boundToKey);
      // Other text is no user's id, and could turn into another id on the way to Postgres.
      else if (isStorable(payload[userClaim])) return payload[userClaim];
      else unacceptable(`the ${userClaim} of the JWT is not the id of a user`);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      if (isAboutKeys(error)) throw unavailable(error, signal);
      unacceptable(describe(error));
    }
    return undefined;
  };

  // The fetch of keys continues for later requests.
  return (token, signal, unacceptable) => unlessAborted(verify(token, signal, unacceptable), signal);
}

/** In bytes, far longer than any issuer's document. An endless one must not fill the memory. */
const longestDocument = 1_048_576;

async function fetchDocument(url: string, options: Parameters<FetchImplementation>[1]): Promise<Response> {
  const response = await fetch(url, options);
  if (response.status !== 200 || response.body === null) return response;
  const read: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body) {
    length += chunk.byteLength;
    if (length > longestDocument) throw new Error(`the document at ${url} is longer than 1 MiB`);
    read.push(chunk);
  }
  return new Response(Buffer.concat(read), { headers: response.headers });
}

async function discoverJwksUrl(issuer: string, options: Parameters<FetchImplementation>[1]): Promise<string> {
  const response = await fetchDocument(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`, options);
  if (response.status !== 200)
    throw new Error(`the request for the discovery document got the status ${response.status}`);
  const found = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown } | null;
  if (found?.issuer !== issuer) throw new Error("the discovery document belongs to another issuer");
  if (typeof found.jwks_uri !== "string" || !isKeyUrl(found.jwks_uri)) {
    throw new Error("the discovery document has no jwks_uri with an https URL");
  }
  return found.jwks_uri;
}

/** Whether an error is about the keys and not the token: no answer, no valid keys, or keys that are too weak. */
function isAboutKeys(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return true;
  // jose uses the first code for answers that are not 200 or not JSON.
  return ["ERR_JOSE_GENERIC", "ERR_JWKS_INVALID", "ERR_JWKS_TIMEOUT"].includes(error.code);
}

/**
 * Such a JWT may be used only by a client that also proves it has a key (RFC 7800), with DPoP or a certificate. The service
 * asks for no such proof. Accepting the token without one would make it a plain bearer token for anyone who stole it.
 */
const boundToKey =
  "the JWT is bound to a key of its client (cnf), which is not supported: configure the issuer to give plain bearer tokens";

/** What is wrong with a JWT. jose's own messages would repeat parts of some tokens. */
function describe(error: unknown): string {
  if (error instanceof errors.JWTExpired) return "the JWT has expired";
  if (error instanceof errors.JWTClaimValidationFailed) return `the JWT's ${error.claim} is missing or not acceptable`;
  if (error instanceof errors.JWSSignatureVerificationFailed) return "the JWT's signature is wrong";
  if (error instanceof errors.JWKSNoMatchingKey) return "none of the issuer's keys fits the JWT";
  if (error instanceof errors.JOSEAlgNotAllowed) return "the JWT's algorithm is not allowed";
  return "neither a personal access token nor a readable JWT";
}
