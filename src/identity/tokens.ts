import { createHash, randomBytes } from "node:crypto";

/** What a personal access token looks like; the prefix lets scanners recognise a leaked one. */
const prefix = "authz_";

/** Makes a token of 256 random bits. The token is shown once; only its hash is kept. */
export function newToken(): { token: string; hash: Buffer } {
  const token = prefix + randomBytes(32).toString("base64url");
  return { token, hash: hashToken(token) };
}

/** A plain hash is enough: a token has too many bits to be guessed. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Whether a token claims to be one of ours; all others can only be an issuer's. */
export function isPersonalAccessToken(token: string): boolean {
  return token.startsWith(prefix);
}

/** Ours are short; a JWT with all its claims stays below what proxies let through in a header. */
const longestToken = 8_192;

/** The token of an `Authorization: Bearer …` header, or undefined when it holds none. */
export function bearerToken(header: string | null): string | undefined {
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(header ?? "")?.[1];
  return token !== undefined && token.length <= longestToken ? token : undefined;
}
