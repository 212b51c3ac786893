import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { jwtVerifier } from "../../src/identity/jwt.ts";
import { entry } from "../support/changes.ts";
import { startKeyIssuer } from "../support/key-issuer.ts";
import { startOpenIdProvider } from "../support/openid-provider.ts";
import { expectRefusal, unauthenticated } from "../support/refusals.ts";
import { type Answer, serverInTest, serveTests } from "../support/server.ts";
import { newKey, signJwt } from "../support/signing.ts";
import { type Accepted, claims, unacceptableJwts } from "../support/unacceptable-jwts.ts";
import { user } from "../support/world.ts";

const audience = "https://authorization.example";
const sent: string[] = [];

const verifierOf = (issuer: string) => jwtVerifier({ issuer, audience, jwksUrl: undefined });

// The clock of the provider and of the service; it stands still when no test moves it on.
vi.useFakeTimers({ toFake: ["Date"] });
const provider = await startOpenIdProvider("root", "ann", "bob", "stranger");
afterAll(() => provider.stop());
const server = await serveTests({ smallWorld: true, verifyJwt: verifierOf(provider.issuer) });
afterAll(() => vi.useRealTimers());

const accepted = (): Accepted => ({ issuer: provider.issuer, audience, key: provider.key() });
const unavailable = { status: 503, code: "unavailable", reason: "KEYS_UNAVAILABLE" };

function list(token?: string, headers: Record<string, string> = {}, at = server): Promise<Answer> {
  if (token !== undefined) sent.push(token);
  return at.call("ListAuthorizations", {}, { ...(token !== undefined && { token }), headers });
}

/** Every byte of an answer that does not depend on the time. */
function bytes({ status, headers, body }: Answer): string {
  const kept = [...headers].filter(([name]) => name !== "date" && name !== "x-request-id").toSorted();
  return JSON.stringify({ status, headers: kept, body });
}

function tokenOfLength(length: number): string {
  const good = claims(accepted(), "ann");
  // Three bytes become four characters, so that not every length can be had by the payload alone.
  for (const pad of ["", "x", "xx", "xxx"]) {
    const least = signJwt(provider.key(), { ...good, more: "" }, { pad }).length;
    for (let more = Math.floor((length - least) * 0.75) - 2; ; more++) {
      const token = signJwt(provider.key(), { ...good, more: "x".repeat(more) }, { pad });
      if (token.length === length) return token;
      if (token.length > length) break;
    }
  }
  throw new Error(`no token has ${length} characters`);
}

function laterBy(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1_000);
}

describe("a JWT of the configured issuer", () => {
  test("answers what a personal access token of the user in its sub answers", async () => {
    for (const userId of ["root", "ann", "bob"]) {
      const byJwt = await list(await provider.token(userId, audience));
      expect(byJwt.status).toBe(200);
      expect(byJwt.body).toEqual((await list(await server.database.token(userId))).body);
    }
  });

  test("gives the rights its user has at the moment of each request", async () => {
    await server.database.load(user("eve", "acme"), entry("eve", { organizationId: "acme" }, "ORG_OWNER"));
    const eve = signJwt(provider.key(), claims(accepted(), "eve"));
    expect((await list(eve)).body.pagination.totalResult).toBe(3);
    await server.database.query("delete from administrators where user_id = 'eve'");
    expect((await list(eve)).body.pagination.totalResult).toBe(0);
    await server.database.query("delete from users where id = 'eve'");
    await expectUnauthenticated(await list(eve));
  });

  test("makes changes in the name of its user", async () => {
    const token = await provider.token("root", audience);
    const { status } = await server.call("DeactivateAuthorization", { id: "a2" }, { token });
    expect(status).toBe(200);
    const [event] = await server.database.query("select actor_id from events order by sequence desc limit 1");
    expect(event).toEqual({ actor_id: "root" });
  });

  test("may be 8,192 characters long and not one more", async () => {
    const [longest, longer] = [tokenOfLength(8_192), tokenOfLength(8_193)];
    expect([longest.length, (await list(longest)).status]).toEqual([8_192, 200]);
    await expectUnauthenticated(await list(longer));
  });

  test("leaves personal access tokens as they are", async () => {
    expect((await list(await server.database.token("ann"))).status).toBe(200);
    await expectUnauthenticated(await list(await server.database.token("ann", -1)));
    await expectUnauthenticated(await list("authz_unknown"));
  });
});

describe("the answer without credentials is, byte for byte, the answer to", () => {
  test("tokens of the provider for another audience, or for no one the directory knows", async () => {
    await expectUnauthenticated(await list(await provider.token("ann", "https://other.example")));
    await expectUnauthenticated(await list(await provider.token("stranger", audience)));
  });

  test("a token of the provider that has expired", async () => {
    const token = await provider.token("ann", audience);
    laterBy(625);
    expect((await list(token)).status).toBe(200);
    laterBy(10);
    await expectUnauthenticated(await list(token));
  });

  test.each(Object.keys(unacceptableJwts(accepted(), "")))("a token with: %s", async (name) => {
    await expectUnauthenticated(await list(unacceptableJwts(accepted(), "root")[name]?.()));
  });

  test("a token whose sub is no user's id", async () => {
    for (const sub of ["", "no such user", "ANN", "ann ", "x".repeat(3_000), "'; drop table users; --"]) {
      await expectUnauthenticated(await list(signJwt(provider.key(), claims(accepted(), sub))));
    }
  });

  test("a header that holds no bearer token", async () => {
    const long = `Bearer ${"x".repeat(15_000)}`;
    for (const authorization of ["Basic x", "Bearer", "Bearer x y", "bearer\tx", "DPoP x", "Bearer authz_x", long]) {
      await expectUnauthenticated(await list(undefined, { authorization }));
    }
  });

  test("a token followed by what is no part of it", async () => {
    const token = await provider.token("ann", audience);
    for (const tail of [".", "=", ",", "\u00e9", ` ${token}`]) await expectUnauthenticated(await list(token + tail));
  });

  test("every JWT, when no issuer is configured", async () => {
    const without = await serverInTest({ smallWorld: true });
    const token = await provider.token("ann", audience);
    expect(bytes(await list(token, {}, without))).toBe(bytes(await list(undefined, {}, without)));
    expect(bytes(await list(token, {}, without))).toBe(bytes(await list()));
  });
});

test("with a required type the provider's tokens are accepted, and others get the answer without credentials", async () => {
  const { issuer } = provider;
  const verifyJwt = jwtVerifier({ issuer, audience, jwksUrl: undefined, requireAtJwt: true });
  const strict = await serverInTest({ database: server.database, verifyJwt });
  expect((await list(await provider.token("ann", audience), {}, strict)).status).toBe(200);
  const good = claims(accepted(), "ann");
  for (const header of [{}, { typ: "JWT" }]) {
    const token = signJwt(provider.key(), good, header);
    expect((await list(token)).status).toBe(200);
    expect(bytes(await list(token, {}, strict))).toBe(bytes(await list(undefined, {}, strict)));
  }
});

describe("keys", () => {
  test("are followed when the provider rotates them while the service runs", async () => {
    const old = await provider.token("ann", audience);
    expect((await list(old)).status).toBe(200);
    await provider.rotate();
    laterBy(5);
    expect((await list(await provider.token("ann", audience))).status).toBe(200);
    await expectUnauthenticated(await list(old));
  });

  test("that are known serve on while the provider is down; a new one is KEYS_UNAVAILABLE, and no pass", async () => {
    const known = await provider.token("ann", audience);
    expect((await list(known)).status).toBe(200);
    await provider.stop();
    laterBy(10);
    expect((await list(known)).status).toBe(200);
    expectRefusal(await list(signJwt(newKey("unknown", "RS256"), claims(accepted(), "ann"))), unavailable);
    await provider.start();
  });

  test("are KEYS_UNAVAILABLE while the provider is down at the start, and there when it is", async () => {
    const token = await provider.token("ann", audience);
    await provider.stop();
    const early = await serverInTest({ smallWorld: true, verifyJwt: verifierOf(provider.issuer) });
    expectRefusal(await list(token, {}, early), unavailable);
    expect((await list(await early.database.token("ann"), {}, early)).status).toBe(200);
    expect(early.log).toContainEqual(expect.objectContaining({ msg: expect.stringMatching(/keys/) }));
    await provider.start();
    laterBy(1);
    expect((await list(token, {}, early)).status).toBe(200);
  });

  test("that never come do not hold a request past its deadline", async () => {
    const key = newKey("one");
    const issuer = await startKeyIssuer(key);
    onTestFinished(() => issuer.stop());
    issuer.answer("/keys", () => {});
    const hanging = await serverInTest({ smallWorld: true, verifyJwt: verifierOf(issuer.url) });
    const token = signJwt(key, claims({ issuer: issuer.url, audience }, "ann"));
    const answer = await list(token, { "connect-timeout-ms": "150" }, hanging);
    expect([answer.status, answer.body.code]).toEqual([504, "deadline_exceeded"]);
  });
});

test("no log line holds a token or a part of one", () => {
  const text = JSON.stringify(server.log);
  const parts = new Set(sent.flatMap((token) => token.split(".").slice(1)).filter((part) => part.length > 20));
  expect(parts.size).toBeGreaterThan(20);
  for (const part of parts) expect(text.includes(part)).toBe(false);
});

async function expectUnauthenticated(answer: Answer): Promise<void> {
  expectRefusal(answer, unauthenticated);
  expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  expect(bytes(answer)).toBe(bytes(await list()));
}

describe("the log says what is wrong with", () => {
  const boundToKey =
    "the JWT is bound to a key of its client (cnf), which is not supported: configure the issuer to give plain bearer tokens";

  test.each([
    ["another audience", "the JWT's aud is missing or not acceptable"],
    ["another issuer", "the JWT's iss is missing or not acceptable"],
    ["no expiry", "the JWT's exp is missing or not acceptable"],
    ["expired", "the JWT has expired"],
    ["not yet valid", "the JWT's nbf is missing or not acceptable"],
    ["another key under a known kid", "the JWT's signature is wrong"],
    ["an unknown kid", "none of the issuer's keys fits the JWT"],
    ["HS256 with an empty secret", "the JWT's algorithm is not allowed"],
    ["the claim typ of an ID token", "the JWT is not an access token"],
    ["the key of a client that uses DPoP", boundToKey],
    ["the certificate of a client", boundToKey],
    ["a sub with a NUL", "the sub of the JWT is not the id of a user"],
  ])("a token with %s", async (name, why) => {
    expect(await loggedFor(unacceptableJwts(accepted(), "root")[name]?.() ?? "")).toBe(why);
  });

  test("tokens of removed users, revoked tokens and what is no token", async () => {
    expect(await loggedFor(signJwt(provider.key(), claims(accepted(), "no such user")))).toBe(
      "no user has the id in the JWT",
    );
    expect(await loggedFor("authz_unknown")).toBe("the personal access token is unknown, expired or revoked");
    expect(await loggedFor("x.y")).toBe("neither a personal access token nor a readable JWT");
    expect(await loggedFor(undefined)).toBe("no bearer token");
  });

  async function loggedFor(token: string | undefined): Promise<unknown> {
    const from = server.log.length;
    await expectUnauthenticated(await list(token));
    return server.log.slice(from).find(({ msg }) => msg === "answered")?.unacceptable;
  }
});
