import type { JWTHeaderParameters, JWTPayload } from "jose";

/**
 * Whether a JWT is an access token. Issuers also sign ID tokens and logout tokens, but those tell a client who signed
 * in or out, and clients don't guard them like keys.
 *
 * @param requireAtJwt whether the type must say so, as RFC 9068 requires
 */
export function isAccessToken(header: JWTHeaderParameters, claims: JWTPayload, requireAtJwt: boolean): boolean {
  const given: unknown = header.typ;
  const type = typeof given === "string" ? given.toLowerCase() : given;
  if (!accessTokenTypes.has(type) && (requireAtJwt || !openTypes.has(type))) return false;
  if (["at_hash", "c_hash", "events"].some((name) => name in claims) || claims.typ === "ID") return false;
  return !("nonce" in claims) || (claims.scope ?? claims.scp ?? claims.client_id) !== undefined;
}

const accessTokenTypes: ReadonlySet<unknown> = new Set(["at+jwt", "application/at+jwt"]);
/** Many issuers give access tokens no type, or the one common to all JWTs. */
const openTypes: ReadonlySet<unknown> = new Set([undefined, "jwt"]);
