import { expect, test } from "vitest";
import { post } from "../support/call-headers.ts";
import { smallWorldOfTests } from "../support/database.ts";
import { keyIssuerOfTests } from "../support/key-issuer.ts";
import { newKey, signJwt } from "../support/signing.ts";
import { serveInTest, stop } from "../support/start-in-test.ts";
import { claims } from "../support/unacceptable-jwts.ts";
import { until } from "../support/until.ts";

const key = newKey("one");
const issuer = await keyIssuerOfTests(key);
const database = await smallWorldOfTests();

test("serve accepts the JWTs of JWT_ISSUER for JWT_AUDIENCE, with the keys at JWT_JWKS_URL and the type that JWT_REQUIRE_AT_JWT wants, and logs none", async () => {
  const server = await serveInTest({
    DATABASE_URL: database.url,
    JWT_ISSUER: "https://issuer.example",
    JWT_AUDIENCE: "us",
    JWT_JWKS_URL: `${issuer.url}/keys`,
    JWT_REQUIRE_AT_JWT: "true",
  });
  const { url } = server;
  const good = claims({ issuer: "https://issuer.example", audience: "us" }, "ann");
  const token = signJwt(key, good, { typ: "at+jwt" });

  issuer.answer("/keys", "down", 500);
  expect((await post(url, token)).status).toBe(503);
  const said = await server.until("stderr", /keys.*can't be fetched/);
  expect(said).toContain("Expected 200 OK from the JSON Web Key Set HTTP response");

  issuer.publish(key);
  await until("the keys to be fetched again", async () => (await post(url, token)).status === 200);
  expect((await post(url, signJwt(key, { ...good, aud: "others" }, { typ: "at+jwt" }))).status).toBe(401);
  expect((await post(url, signJwt(key, good))).status).toBe(401);
  expect(issuer.requests).not.toContain("/.well-known/openid-configuration");

  const { stdout, stderr } = await stop(server);
  for (const part of token.split(".")) expect(stdout + stderr).not.toContain(part);
});
