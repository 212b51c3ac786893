import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { jwtVerifier, type VerifyJwt } from "../../src/identity/jwt.ts";
import { keyIssuerOfTests } from "../support/key-issuer.ts";
import { newKey, signHs256, signJwt } from "../support/signing.ts";
import { type Accepted, claims, seconds, unacceptableJwts } from "../support/unacceptable-jwts.ts";

const key = newKey("one", "RS256");
const two = newKey("two", "RS256");
const forever = new AbortController().signal;
const issuer = await keyIssuerOfTests();
let accepted: Accepted;
let verify: VerifyJwt;

beforeEach(() => {
  // A whole second, at which tokens are exactly as old as they say.
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2030-01-01T00:00:00Z") });
  issuer.publish(key);
  accepted = { issuer: issuer.url, audience: "us", key };
  verify = jwtVerifier({ ...accepted, jwksUrl: undefined });
});
afterAll(() => vi.useRealTimers());

test("with an acceptable token, the user in its sub is the caller", async () => {
  expect(await verify(signJwt(key, claims(accepted, "ann")), forever)).toBe("ann");
});

test("with a claim of another name, the user in that claim is the caller", async () => {
  const byOid = jwtVerifier({ ...accepted, jwksUrl: undefined, userClaim: "oid" });
  const ofCaller = (oid: unknown) => signJwt(key, { ...claims(accepted, "ann"), oid } as never);
  expect(await byOid(ofCaller("bob"), forever)).toBe("bob");
  const said: string[] = [];
  for (const oid of [undefined, 7, ["bob"], { id: "bob" }, null])
    expect(await byOid(ofCaller(oid), forever, (why) => said.push(why))).toBeUndefined();
  const inherited = jwtVerifier({ ...accepted, jwksUrl: undefined, userClaim: "constructor" });
  expect(await inherited(ofCaller("bob"), forever)).toBeUndefined();
  expect(new Set(said)).toEqual(
    new Set(["the JWT's oid is missing or not acceptable", "the oid of the JWT is not the id of a user"]),
  );
});

test.each(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"])(
  "a key may sign with %s",
  async (alg) => {
    const other = /^[RP]S/.test(alg) ? { ...key, alg, jwk: { ...key.jwk, alg, kid: "other" } } : newKey("other", alg);
    issuer.publish(key, other);
    expect(await verify(signJwt(other, claims(accepted, "ann")), forever)).toBe("ann");
  },
);

describe("these are acceptable too", () => {
  const { kid: _, ...withoutKid } = key.jwk;
  test.each<[string, (good: ReturnType<typeof claims>) => string]>([
    ["one audience among others", (good) => signJwt(key, { ...good, aud: ["others", "us"] })],
    ["expired less than 30 seconds ago", (good) => signJwt(key, { ...good, exp: seconds() - 29 })],
    ["valid in less than 30 seconds", (good) => signJwt(key, { ...good, nbf: seconds() + 30 })],
    [
      "more claims and headers",
      (good) => signJwt(key, { ...good, nbf: 0, iat: seconds() + 300, roles: [] }, { typ: "at+jwt" }),
    ],
    ["no kid, when only one key can have signed it", (good) => signJwt(key, good, { kid: undefined })],
    ["a sub in any writing", (good) => signJwt(key, { ...good, sub: "Ünï😀" })],
  ])("%s", async (_name, token) => {
    issuer.publish(key, newKey("elliptic", "ES256"));
    expect(await verify(token(claims(accepted, "ann")), forever)).toEqual(expect.stringMatching(/^(ann|Ünï😀)$/));
  });

  test("a key that is published without its kid, alg and use, for a token without a kid", async () => {
    const { alg: _alg, ...bare } = withoutKid;
    issuer.answer("/keys", { keys: [{ ...bare, use: undefined }] });
    expect(await verify(signJwt(key, claims(accepted, "ann"), { kid: undefined }), forever)).toBe("ann");
  });
});

test("the kid decides between two keys, and without one no key is guessed", async () => {
  issuer.publish(key, two);
  const good = claims(accepted, "ann");
  expect(await verify(signJwt(key, good), forever)).toBe("ann");
  expect(await verify(signJwt(two, good), forever)).toBe("ann");
  expect(await verify(signJwt(two, good, { kid: "one" }), forever)).toBeUndefined();
  expect(await verify(signJwt(two, good, { kid: undefined }), forever)).toBeUndefined();
});

test("a key that is published for encryption verifies nothing", async () => {
  issuer.answer("/keys", { keys: [{ ...key.jwk, use: "enc" }] });
  expect(await verify(signJwt(key, claims(accepted, "ann")), forever)).toBeUndefined();
});

test("a token is compared with the issuer and the audience to the letter", async () => {
  const url = issuer.url.toUpperCase();
  expect(await verify(signJwt(key, { ...claims(accepted, "ann"), iss: url }), forever)).toBeUndefined();
  expect(await verify(signJwt(key, { ...claims(accepted, "ann"), aud: "US" }), forever)).toBeUndefined();
  expect(await verify(signJwt(key, { ...claims(accepted, "ann"), aud: { us: "us" } }), forever)).toBeUndefined();
});

test("a published shared secret verifies nothing", async () => {
  const k = Buffer.from("a secret of at least thirty-two bytes").toString("base64url");
  issuer.answer("/keys", { keys: [{ kty: "oct", k, kid: "secret", alg: "HS256", use: "sig" }] });
  const token = signHs256(Buffer.from(k, "base64url"), claims(accepted, "ann"), { kid: "secret" });
  expect(await verify(token, forever)).toBeUndefined();
});

describe("an access token", () => {
  const typed = (typ: string, more: object = {}) => signJwt(key, { ...claims(accepted, "ann"), ...more }, { typ });
  const ofAccess = ["at+jwt", "AT+JWT", "application/at+jwt", "Application/At+Jwt"];
  const strict = () => jwtVerifier({ ...accepted, jwksUrl: undefined, requireAtJwt: true });

  test.each([...ofAccess, "JWT", "jwt", "Jwt"])("may have the type %s", async (typ) => {
    expect(await verify(typed(typ), forever)).toBe("ann");
  });

  test.each([
    ["a nonce and a scope", { nonce: "x", scope: "openid" }],
    ["a nonce and an empty scope", { nonce: "x", scope: "" }],
    ["a nonce and scopes in a list", { nonce: "x", scp: ["openid"] }],
    ["a nonce and a client", { nonce: "x", client_id: "console" }],
    ["the claim typ of an access token", { typ: "Bearer" }],
  ])("may have %s", async (_, more) => {
    expect(await verify(typed("JWT", more), forever)).toBe("ann");
  });

  test.each(ofAccess)("has to have such a type as %s where it is required", async (typ) => {
    expect(await strict()(typed(typ), forever)).toBe("ann");
    expect(await strict()(typed(typ, { at_hash: "x" }), forever)).toBeUndefined();
  });

  test.each(["JWT", "jwt", "logout+jwt", "application/jwt", "at", "+jwt"])(
    "has no such type as %s where its own is required",
    async (typ) => {
      expect(await strict()(typed(typ), forever)).toBeUndefined();
      expect(await strict()(signJwt(key, claims(accepted, "ann")), forever)).toBeUndefined();
    },
  );
});

describe("a token is not accepted with", () => {
  const names = Object.keys(unacceptableJwts({ issuer: "", audience: "", key }, ""));
  test.each(names)("%s", async (name) => {
    expect(await verify(unacceptableJwts(accepted, "ann")[name]?.() ?? "", forever)).toBeUndefined();
  });

  test("any one bit of its signature changed", async () => {
    const token = signJwt(key, claims(accepted, "ann"));
    const signed = Buffer.from(token.slice(token.lastIndexOf(".") + 1), "base64url");
    for (let bit = 0; bit < signed.length * 8; bit += 61) {
      const changed = Buffer.from(signed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const forged = token.slice(0, token.lastIndexOf(".") + 1) + changed.toString("base64url");
      expect(await verify(forged, forever), `bit ${bit}`).toBeUndefined();
    }
  });
});

test("the age of a token is judged again each time", async () => {
  const token = signJwt(key, { ...claims(accepted, "ann"), exp: seconds() + 60 });
  expect(await verify(token, forever)).toBe("ann");
  vi.setSystemTime(Date.now() + 89_000);
  expect(await verify(token, forever)).toBe("ann");
  vi.setSystemTime(Date.now() + 1_000);
  expect(await verify(token, forever)).toBeUndefined();
});

test("what a token links to is never fetched", async () => {
  issuer.requests.length = 0;
  for (const token of Object.values(unacceptableJwts(accepted, "ann"))) await verify(token(), forever);
  expect(new Set(issuer.requests)).toEqual(new Set(["/.well-known/openid-configuration", "/keys"]));
});
