import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { jwtVerifier } from "../../src/identity/jwt.ts";
import { objectsIn } from "../support/command.ts";
import { smallWorldOfTests } from "../support/database.ts";
import { keyIssuerOfTests } from "../support/key-issuer.ts";
import { blocksOf } from "../support/page.ts";
import { read as textOf } from "../support/repository.ts";
import { serverInTest } from "../support/server.ts";
import { newKey, signHs256, signJwt } from "../support/signing.ts";
import { seconds } from "../support/unacceptable-jwts.ts";

/** What makes a token of an issuer, or the settings for it, another than on the page. */
type Difference = {
  readonly header?: object;
  readonly claims?: object;
  readonly settings?: Readonly<Record<string, string | undefined>>;
  readonly sign?: (claims: object) => string;
};

const key = newKey("published", "RS256");
const opaque = (token: string): Difference => ({ sign: () => token });
const idToken: Difference = { header: { typ: "JWT" }, claims: { at_hash: "77QmUPtjPfzWtF2AnpK9RQ" } };
const boundToKey: Difference = { claims: { cnf: { jkt: "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I" } } };
const ofStranger: Difference = { claims: { sub: "stranger" } };

/** What each page says is refused, and why. */
const refusedOf: Readonly<Record<string, readonly Difference[]>> = {
  keycloak: [
    { claims: { aud: "account" } },
    { claims: { sub: undefined } },
    { header: { typ: "JWT" } },
    { ...idToken, settings: { JWT_REQUIRE_AT_JWT: undefined } },
    boundToKey,
    ofStranger,
  ],
  "entra-id": [
    { claims: { iss: "https://sts.windows.net/72f98c11-0a5b-4f0e-9d3c-1c2b7d5e8a40/", ver: "1.0" } },
    { settings: { JWT_AUDIENCE: "api://6e74172b-be56-4843-9ff4-e66a39bb12e3" } },
    // Tokens for Microsoft Graph are signed in a way of their own.
    { sign: (claims) => signJwt(newKey("published", "RS256"), claims) },
    { claims: { oid: undefined } },
    { settings: { JWT_USER_CLAIM: undefined } },
  ],
  auth0: [
    opaque("kVqzPz3Yy4tQ1b8nWm2sXc7d"),
    { settings: { JWT_ISSUER: "https://acme.eu.auth0.com" } },
    { claims: { aud: "https://acme.eu.auth0.com/userinfo" } },
    { header: { typ: "JWT" } },
    { sign: (claims) => signHs256("a secret of at least thirty-two bytes", claims) },
    boundToKey,
    ofStranger,
  ],
  okta: [
    {
      claims: { iss: "https://acme.okta.com" },
      header: { typ: "application/okta-internal-at+jwt", kid: "unpublished" },
    },
    {
      settings: { JWT_ISSUER: "https://acme.okta.com", JWT_AUDIENCE: "https://acme.okta.com" },
      claims: { iss: "https://acme.okta.com", aud: "https://acme.okta.com" },
      header: { typ: "application/okta-internal-at+jwt" },
    },
    { claims: { iss: "https://login.acme.example/oauth2/default" } },
    { settings: { JWT_AUDIENCE: "https://acme.okta.com" } },
    { claims: { uid: undefined, sub: "0oabzljih3rnr6aGt0h7" } },
    { settings: { JWT_USER_CLAIM: undefined } },
  ],
  google: [
    opaque("ya29.a0AfB_byC3XxqJ"),
    idToken,
    { claims: { nonce: "n-0S6_WzA2Mj" } },
    { claims: { aud: "https://other.acme.example" } },
    ofStranger,
  ],
  zitadel: [
    opaque("Zq3nYb7tWm1xVc5rLk9sDf2gHj8pQa4eUi6oT0y"),
    { claims: { aud: ["312909075212999999"] } },
    { claims: { iss: "https://login.acme.example" } },
    idToken,
    ofStranger,
  ],
};

const issuer = await keyIssuerOfTests(key);
const database = await smallWorldOfTests();

/** The settings on the page of an issuer, its token, and the line that imports the token's user. */
function read(page: string) {
  const blocks = blocksOf(`docs/how-to/${page}.md`);
  const shell = blocks.find(({ code }) => code.startsWith("export "))?.code ?? "";
  const settings = Object.fromEntries(
    [...shell.matchAll(/^export (\w+)=(?:"(.*)"|(.*))$/gm)].map(([, name, quoted, plain]) => [name, quoted ?? plain]),
  );
  const [header, claims, line] = blocks
    .filter(({ language }) => language === "json")
    .map(({ code }) => JSON.parse(code));
  return { settings: settings as Record<string, string>, header, claims, line };
}

/** What the service answers to a token like the one on the page, and what it logs. */
async function answerTo(page: string, { header, claims, settings, sign }: Difference = {}) {
  const shown = read(page);
  const { jwt } = readConfig({ ...shown.settings, ...settings, JWT_JWKS_URL: `${issuer.url}/keys` });
  if (jwt === undefined) throw new Error(`${page} has no settings`);
  const lifetime = shown.claims.exp - shown.claims.iat;
  const now = { iat: seconds(), exp: seconds() + lifetime, ...("nbf" in shown.claims && { nbf: seconds() }) };
  const content = { ...shown.claims, ...now, ...claims };
  const token = sign?.(content) ?? signJwt(key, content, { ...shown.header, kid: key.jwk.kid, ...header });
  const server = await serverInTest({ database, verifyJwt: jwtVerifier(jwt) });
  const { status, body } = await server.callService("authorization.v2.CallerService/GetCaller", {}, { token });
  return { status, userId: body.user?.id, why: server.log.find(({ msg }) => msg === "answered")?.unacceptable };
}

describe.each(Object.keys(refusedOf))("docs/how-to/%s.md", (page) => {
  test("shows settings that accept the token it shows, for the user it imports", async () => {
    const { line } = read(page);
    await database.load(line);
    expect(await answerTo(page)).toEqual({ status: 200, userId: line.user.id, why: undefined });
  });

  test("names every reason for which tokens that differ are refused, and no other", async () => {
    await database.load(read(page).line);
    const found = [];
    for (const difference of refusedOf[page] ?? []) {
      const { status, why } = await answerTo(page, difference);
      expect(status, JSON.stringify(difference)).toBe(401);
      found.push(why);
    }
    const [, table = ""] = textOf(`docs/how-to/${page}.md`).split("## If a token is refused");
    const [, ...named] = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, reason]) => reason);
    expect(new Set(found)).toEqual(new Set(named));
  });
});

test("Servers with different issuers can use the same database while people move", async () => {
  const people = Object.keys(refusedOf).map((page) => read(page).line);
  await database.load(...people);
  const token = await database.token(people[0].user.id);
  for (const page of ["keycloak", "entra-id"]) {
    expect(await answerTo(page)).toMatchObject({ status: 200 });
    expect(await answerTo(page, { sign: () => token })).toMatchObject({ status: 200, userId: people[0].user.id });
  }
});

test("The command that looks into a token prints its header and its claims", () => {
  const command = blocksOf("docs/how-to/sign-in-with-openid-connect.md").find(({ code }) => code.includes("base64url"));
  const claims = { sub: "zoë???>>>" };
  const env = { ...process.env, TOKEN: signJwt(key, claims, { typ: "at+jwt" }) };
  const printed = execFileSync("sh", ["-c", command?.code ?? ""], { env, encoding: "utf8" });
  const header = { alg: "RS256", kid: "published", typ: "at+jwt" };
  expect(objectsIn(printed)).toEqual([header, claims]);
});
