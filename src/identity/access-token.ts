import type { JWTHeaderParameters, JWTPayload } from "jose";

/**
 * Whether an issuer made a JWT for calling services. It signs ID tokens and logout tokens too, but those tell a client who
 * signed in or out, and clients do not guard them like keys.
 *
 * @param requireAtJwt whether the type has to say so, as RFC 9068 wants it
 */
export function isAccessToken(header: JWTHeaderParameters, claims: JWTPayload, requireAtJwt: boolean): boolean {
  const given: unknown = header.typ;
  const type = typeof given === "string" ? given.toLowerCase() : given;
  if (!accessTokenTypes.has(type) && (requireAtJwt || !openTypes.has(type))) return false;
  if (["at_hash", "c_hash", "events"].some((name) => name in claims) || claims.typ === "ID") return false;
  return !("nonce" in claims) || (claims.scope ?? claims.scp ?? claims.client_id) !== undefined;
}

const accessTokenTypes: ReadonlySet<unknown> = new Set(["at+jwt", "application/at+jwt"]);
/** Many issuers give an access token no type, or the one of every JWT. */
const openTypes: ReadonlySet<unknown> = new Set([undefined, "jwt"]);
