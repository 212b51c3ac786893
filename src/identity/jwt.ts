import { createRemoteJWKSet, customFetch, errors, type FetchImplementation, jwtVerify } from "jose";
import { Refusal } from "../authorization/refusal.ts";
import { isAccessToken } from "./access-token.ts";
import { isKeyUrl } from "./key-url.ts";

/** Whose JWTs are accepted; docs/reference/permissions.md says which of them. */
export type JwtIssuer = {
  /** Exactly as the issuer writes its name in tokens and in its discovery document. */
  readonly issuer: string;
  readonly audience: string;
  /** Where its keys are; undefined: where its discovery document says. */
  readonly jwksUrl: string | undefined;
  /** Whether a token's type must say that it is an access token; false unless it is set. */
  readonly requireAtJwt?: boolean;
};

/**
 * The user a JWT stands for; undefined for every token that is not acceptable. Throws KEYS_UNAVAILABLE when the
 * keys cannot be had, and the signal's reason when that comes first.
 */
export type VerifyJwt = (token: string, signal: AbortSignal) => Promise<string | undefined>;

/** Only signatures made with a private key: a published key must never count as a shared secret. */
const algorithms = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];

/** How far the clocks of the issuer and of this service may differ. */
const clockToleranceSeconds = 30;

/** How long keys are used without asking again: what the issuer withdraws ends after this time, in milliseconds. */
const keysLastMs = 600_000;

/**
 * How long after a fetch a token with an unknown key causes no other, in milliseconds. Made-up tokens cause a fetch
 * this often at most; a key that signs as soon as it is published is known after this time at the latest.
 */
const unknownKeyPauseMs = 5_000;

/** How long after a failure nothing is fetched, in milliseconds. */
const failurePauseMs = 1_000;

/**
 * Verifies the JWTs of one issuer. Its keys are fetched when they are first needed, by one fetch at a time.
 *
 * @param fetchTimeoutMs how long finding and fetching the keys may take together, in milliseconds
 */
export function jwtVerifier(
  { issuer, audience, jwksUrl, requireAtJwt = false }: JwtIssuer,
  fetchTimeoutMs = 5_000,
): VerifyJwt {
  let failedAt = Number.NEGATIVE_INFINITY;
  let untold: unknown;
  const isPausing = () => Date.now() < failedAt + failurePauseMs;

  const fetchKeys: FetchImplementation = async (_, options) => {
    if (isPausing()) throw new Error("the last fetch has only just failed");
    return fetchDocument(jwksUrl ?? (await discoverJwksUrl(issuer, options)), options);
  };
  // The URL is only a name here: fetchKeys knows where to go, each time anew.
  const keys = createRemoteJWKSet(new URL(jwksUrl ?? issuer), {
    timeoutDuration: fetchTimeoutMs,
    cacheMaxAge: keysLastMs,
    cooldownDuration: unknownKeyPauseMs,
    [customFetch]: fetchKeys,
  });
  const rules = {
    algorithms,
    issuer,
    audience,
    clockTolerance: clockToleranceSeconds,
    requiredClaims: ["exp", "sub"],
  };

  /** Gives each failure to one request that still waits, so that it is logged once. */
  function unavailable(error: unknown, signal: AbortSignal): Refusal {
    if (!isPausing()) {
      failedAt = Date.now();
      untold = error;
    }
    const cause = signal.aborted ? undefined : untold;
    if (!signal.aborted) untold = undefined;
    return new Refusal("KEYS_UNAVAILABLE", "the keys of the token's issuer can't be fetched; try again", {}, { cause });
  }

  async function verify(token: string, signal: AbortSignal): Promise<string | undefined> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, rules);
      if (!isAccessToken(protectedHeader, payload, requireAtJwt)) return undefined;
      return isUserId(payload.sub) ? payload.sub : undefined;
    } catch (error) {
      if (isAboutKeys(error)) throw unavailable(error, signal);
      return undefined;
    }
  }

  return (token, signal) => orAborted(verify(token, signal), signal);
}

/** No issuer's documents are longer, by far; one that never ends must not fill the memory. In bytes. */
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
  if (response.status !== 200) throw new Error(`the discovery document was answered with ${response.status}`);
  const found = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown } | null;
  if (found?.issuer !== issuer) throw new Error("the discovery document is that of another issuer");
  if (typeof found.jwks_uri !== "string" || !isKeyUrl(found.jwks_uri)) {
    throw new Error("the discovery document names no jwks_uri that is an https URL");
  }
  return found.jwks_uri;
}

/** Whatever is not a verdict on the token: keys that were not answered, are no keys, or are too weak to be used. */
function isAboutKeys(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return true;
  // jose gives the first code to answers that are not 200 or not JSON.
  return ["ERR_JOSE_GENERIC", "ERR_JWKS_INVALID", "ERR_JWKS_TIMEOUT"].includes(error.code);
}

/** What Postgres cannot keep is no user's id, and could be taken for another one on the way there. */
function isUserId(subject: unknown): subject is string {
  return typeof subject === "string" && subject.isWellFormed() && !subject.includes("\0");
}

/** A request that is over stops waiting; the fetch goes on for those that come after it. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  return Promise.race([aborted, work]);
}
