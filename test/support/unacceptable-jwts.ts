import { newKey, type SigningKey, signHs256, signingInput, signJwt } from "./signing.ts";

/** What a token has to say for being accepted, and the RSA key it has to be signed with. */
export type Accepted = { readonly issuer: string; readonly audience: string; readonly key: SigningKey };

const stranger = newKey("stranger", "RS256");
const elliptic = newKey("elliptic", "ES256");

/** The claims of an acceptable token of a user. */
export function claims({ issuer, audience }: Omit<Accepted, "key">, sub: string) {
  return { iss: issuer, aud: audience, sub, exp: seconds() + 300 };
}

/** Now, as JWTs count time. */
export function seconds(): number {
  return Math.floor(Date.now() / 1_000);
}

/** What makes tokens that are acceptable but for one thing each, by that thing: to sign all of them takes a while. */
export function unacceptableJwts(accepted: Accepted, sub: string): Record<string, () => string> {
  const { issuer, audience, key } = accepted;
  const good = claims(accepted, sub);
  const valid = signJwt(key, good);
  const [header = "", payload = "", signature = ""] = valid.split(".");
  const pem = key.publicKey.export({ format: "pem", type: "spki" });
  const kid = key.jwk.kid;
  const unsigned = (alg: string) => signingInput({ alg, kid }, good);
  const but = (change: object) => signJwt(key, { ...good, ...change });
  const typed = (typ: unknown) => signJwt(key, good, { typ });

  return {
    "alg none": () => `${unsigned("none")}.`,
    "alg None": () => `${unsigned("None")}.`,
    "alg none with a signature": () => `${unsigned("none")}.${signature}`,
    "no alg": () => `${signingInput({ kid }, good)}.${signature}`,
    "HS256 with the public key as PEM": () => signHs256(pem, good, { kid }),
    "HS256 with the public key as PEM, trimmed": () => signHs256(pem.toString().trim(), good, { kid }),
    "HS256 with the public key as DER": () =>
      signHs256(key.publicKey.export({ format: "der", type: "spki" }), good, { kid }),
    "HS256 with the public key as JWK": () => signHs256(JSON.stringify(key.jwk), good, { kid }),
    "HS256 with the modulus": () => signHs256(Buffer.from(key.jwk.n ?? "", "base64url"), good, { kid }),
    "HS256 with an empty secret": () => signHs256("", good, { kid }),
    "another algorithm than the key is for": () => signJwt({ ...key, alg: "PS256" }, good),
    "another kind of key than the kid's": () => signJwt(elliptic, good, { kid }),
    "the name of one algorithm, the signature of another": () =>
      signJwt({ ...key, alg: "RS512" }, good, { alg: "RS256" }),
    "another key under a known kid": () => signJwt(stranger, good, { kid }),
    "an unknown kid": () => signJwt(key, good, { kid: "unknown" }),
    "a kid that is no text": () => signJwt(key, good, { kid: 1 }),
    "its own key in the header": () => signJwt(stranger, good, { kid, jwk: stranger.jwk }),
    "its own key behind a link": () => signJwt(stranger, good, { kid, jku: `${issuer}/evil`, x5u: `${issuer}/evil` }),
    "an unknown crit": () => signJwt(key, good, { crit: ["exp-ert"], "exp-ert": 1 }),
    "an empty crit": () => signJwt(key, good, { crit: [] }),
    "an unencoded payload": () => signJwt(key, good, { crit: ["b64"], b64: false }),
    "another audience": () => but({ aud: "others" }),
    "other audiences": () => but({ aud: ["others", `${audience}s`, audience.slice(1)] }),
    "no audience": () => but({ aud: undefined }),
    "an empty list of audiences": () => but({ aud: [] }),
    "another issuer": () => but({ iss: "https://other.example" }),
    "the issuer and a slash": () => but({ iss: `${issuer}/` }),
    "a list of issuers": () => but({ iss: [issuer] }),
    "no issuer": () => but({ iss: undefined }),
    expired: () => but({ exp: seconds() - 31 }),
    "no expiry": () => but({ exp: undefined }),
    "an expiry that is a text": () => but({ exp: String(good.exp) }),
    "an expiry that is null": () => but({ exp: null }),
    "not yet valid": () => but({ nbf: seconds() + 35 }),
    "a beginning that is a text": () => but({ nbf: "0" }),
    "no sub": () => but({ sub: undefined }),
    "a sub that is null": () => but({ sub: null }),
    "a sub that is a number": () => but({ sub: 1 }),
    "a sub that is a list": () => but({ sub: [sub] }),
    "a sub with a NUL": () => but({ sub: `${sub}\0` }),
    // JSON.stringify escapes a lone surrogate.
    "a sub with a lone surrogate": () => but({ sub: `${sub}\ud800` }),
    "the type of a logout token": () => typed("logout+jwt"),
    "the type of a security event": () => typed("secevent+jwt"),
    "the type of a proof of possession": () => typed("dpop+jwt"),
    "a type with a prefix that is none": () => typed("application/jwt"),
    "a type and a space": () => typed("at+jwt "),
    "an empty type": () => typed(""),
    "a type that is null": () => typed(null),
    "a type that is a number": () => typed(1),
    "a type that is a list": () => typed(["at+jwt"]),
    "the claim at_hash of an ID token": () => but({ at_hash: "x", scope: "openid" }),
    "the claim at_hash, which is null": () => but({ at_hash: null }),
    "the claim c_hash of an ID token": () => but({ c_hash: "x", client_id: "console" }),
    "the claim typ of an ID token": () => but({ typ: "ID", scope: "openid" }),
    "the events of a logout token": () => but({ events: { "http://schemas.openid.net/event/backchannel-logout": {} } }),
    "the events of a logout token and a scope": () => but({ events: {}, scope: "openid" }),
    "a nonce, as ID tokens have": () => but({ nonce: "x" }),
    "a nonce and a client that is azp": () => but({ nonce: "x", azp: "console" }),
    "a nonce and a scope that is null": () => but({ nonce: "x", scope: null }),
    "the key of a client that uses DPoP": () => but({ cnf: { jkt: "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I" } }),
    "the certificate of a client": () => but({ cnf: { "x5t#S256": "bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2" } }),
    "an empty confirmation": () => but({ cnf: {} }),
    "a confirmation that is null": () => but({ cnf: null }),
    "no signature": () => `${header}.${payload}.`,
    "half a signature": () => `${header}.${payload}.${signature.slice(0, signature.length / 2)}`,
    "an altered signature": () => `${header}.${payload}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`,
    "an altered payload": () => `${header}.${signingInput("", { ...good, exp: good.exp + 1 }).slice(1)}.${signature}`,
    "two parts": () => `${header}.${payload}`,
    "four parts": () => `${valid}.${signature}`,
    "five parts, as an encrypted one has": () => `${valid}.${signature}.${signature}`,
    "an empty header": () => `.${payload}.${signature}`,
    "a header that is no JSON": () => `${signingInput("{", good)}.${signature}`,
    "a header that is a list": () => `${signingInput([], good)}.${signature}`,
    "a header that is no base64url": () => `+/+/.${payload}.${signature}`,
    "a payload that is no JSON": () => signJwt(key, "{"),
    "a payload that is a list": () => signJwt(key, [good]),
    "a payload that is no UTF-8": () => signJwt(key, Buffer.from([0x7b, 0xff, 0x7d])),
    "only dots": () => "..",
    garbage: () => "x",
  };
}
