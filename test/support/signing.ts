import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/** A key pair, and what an issuer publishes of it. */
export type SigningKey = {
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly jwk: { readonly kid: string; readonly alg: string; readonly use: string; readonly n?: string };
};

const curves: Record<string, string> = { ES256: "P-256", ES384: "P-384", ES512: "P-521" };

export function newKey(kid: string, alg = "ES256", bits = 2_048): SigningKey {
  const namedCurve = curves[alg];
  const pair = /^(Ed25519|EdDSA)$/.test(alg)
    ? generateKeyPairSync("ed25519")
    : namedCurve === undefined
      ? generateKeyPairSync("rsa", { modulusLength: bits })
      : generateKeyPairSync("ec", { namedCurve });
  return { alg, ...pair, jwk: { ...pair.publicKey.export({ format: "jwk" }), kid, alg, use: "sig" } };
}

/** Signs anything; written by hand, because a library refuses to make what the service has to refuse. */
export function signJwt(key: SigningKey, payload: object | string | Buffer, header: object = {}): string {
  const input = signingInput({ alg: key.alg, kid: key.jwk.kid, ...header }, payload);
  return `${input}.${signature(key, input).toString("base64url")}`;
}

/** Signs with a shared secret, as HS256 does. */
export function signHs256(secret: string | Buffer, payload: object, header: object = {}): string {
  const input = signingInput({ alg: "HS256", ...header }, payload);
  return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
}

export function signingInput(header: object | string, payload: object | string | Buffer): string {
  return `${encode(header)}.${encode(payload)}`;
}

function encode(part: object | string | Buffer): string {
  const bytes = typeof part === "string" || Buffer.isBuffer(part) ? part : JSON.stringify(part);
  return Buffer.from(bytes as string).toString("base64url");
}

function signature({ alg, privateKey }: SigningKey, input: string): Buffer {
  const data = Buffer.from(input);
  if (/^Ed/.test(alg)) return sign(null, data, privateKey);
  const hash = `sha${alg.slice(2)}`;
  // 6 is PSS padding, whose salt is as long as the hash.
  if (alg.startsWith("PS"))
    return sign(hash, data, { key: privateKey, padding: 6, saltLength: Number(alg.slice(2)) / 8 });
  return sign(hash, data, { key: privateKey, dsaEncoding: "ieee-p1363" });
}
