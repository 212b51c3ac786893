import { hash, randomBytes } from "node:crypto";

/** The prefix of personal access tokens, which lets scanners recognize leaked ones. */
const prefix = "authz_";

/** Creates a token from 256 random bits. The token is shown once, and only its hash is stored. */
export function newToken(): { token: string; hash: Buffer } {
  const token = prefix + randomBytes(32).toString("base64url");
  return { token, hash: hashToken(token) };
}

/** A plain hash is enough: a token has too many bits to guess. */
export function hashToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

/** Whether a token has the form of a personal access token. Any other can only be an issuer's. */
export function isPersonalAccessToken(token: string): boolean {
  return token.startsWith(prefix);
}

/** Enough for a JWT with many claims, and below the header limits of common proxies. */
const longestToken = 8_192;

/** The token in an `Authorization: Bearer …` header; undefined if there is none. */
export function bearerToken(header: string | null): string | undefined {
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(header ?? "")?.[1];
  return token !== undefined && token.length <= longestToken ? token : undefined;
}
