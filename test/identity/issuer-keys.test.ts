import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { Refusal } from "../../src/authorization/refusal.ts";
import { jwtVerifier, type VerifyJwt } from "../../src/identity/jwt.ts";
import { discoveryPath, type KeyIssuer, startKeyIssuer } from "../support/key-issuer.ts";
import { newKey, type SigningKey, signJwt } from "../support/signing.ts";
import { claims } from "../support/unacceptable-jwts.ts";
import { until } from "../support/until.ts";

const key = newKey("one");
const two = newKey("two");
const forever = new AbortController().signal;
let issuer: KeyIssuer;
let verify: VerifyJwt;

beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
beforeEach(async () => {
  issuer = await startKeyIssuer(key);
  verify = jwtVerifier({ issuer: issuer.url, audience: "us", jwksUrl: undefined });
});
afterEach(() => issuer.stop());
afterAll(() => vi.useRealTimers());

const token = (signer = key, header = {}) =>
  signJwt(signer, claims({ issuer: issuer.url, audience: "us" }, "ann"), header);
const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000);
/** Lets five seconds, and no other time, be over soon. */
function fiveSecondsPass() {
  const { timeout } = AbortSignal;
  const soon = vi.spyOn(AbortSignal, "timeout");
  soon.mockImplementation((ms) => timeout.call(AbortSignal, ms === 5_000 ? 100 : ms));
  onTestFinished(() => soon.mockRestore());
}
const keyFetches = () => issuer.requests.filter((path) => path === "/keys").length;

/** What a refusal says to the log, or undefined when it says nothing. */
async function unavailable(verdict: Promise<unknown>): Promise<unknown> {
  const error = await verdict.then(
    (userId) => expect.fail(`accepted or refused: ${userId}`),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Refusal);
  expect(error).toMatchObject({ reason: "KEYS_UNAVAILABLE", metadata: {} });
  return (error as Refusal).cause;
}

describe("keys are fetched", () => {
  test("when the first token needs them, once for all that wait, and then not again", async () => {
    expect(issuer.requests).toEqual([]);
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => verify(token(), forever)));
    expect(new Set(verdicts)).toEqual(new Set(["ann"]));
    pass(299);
    expect(await verify(token(), forever)).toBe("ann");
    expect(issuer.requests).toEqual([discoveryPath, "/keys"]);
  });

  test("from JWT_JWKS_URL without a discovery", async () => {
    const given = jwtVerifier({ issuer: issuer.url, audience: "us", jwksUrl: `${issuer.url}/keys` });
    expect(await given(token(), forever)).toBe("ann");
    expect(issuer.requests).toEqual(["/keys"]);
  });

  test("from where an issuer whose name ends in a slash says", async () => {
    const name = `${issuer.url}/`;
    issuer.answer(discoveryPath, { issuer: name, jwks_uri: `${issuer.url}/keys` });
    const slashed = jwtVerifier({ issuer: name, audience: "us", jwksUrl: undefined });
    expect(await slashed(signJwt(key, claims({ issuer: name, audience: "us" }, "ann")), forever)).toBe("ann");
  });

  test("not for a token that no key could make acceptable", async () => {
    for (const bad of ["x", "a.b.c", token(key, { alg: "none" }), token(key, { alg: "HS256" })]) {
      expect(await verify(bad, forever)).toBeUndefined();
    }
    expect(issuer.requests).toEqual([]);
  });
});

describe("an issuer that answers slowly", () => {
  /** The answers to requests for keys that are still to come. */
  let answers: (() => void)[];

  beforeEach(async () => {
    answers = [];
    expect(await verify(token(), forever)).toBe("ann");
    issuer.answer("/keys", (response) => {
      answers.push(() => response.end(JSON.stringify({ keys: [key.jwk] })));
    });
  });

  test("never keeps a token with a known key waiting", async () => {
    pass(301);
    expect(await verify(token(), forever)).toBe("ann");
    await until("the keys to be fetched again", () => answers.length === 1);
    expect(await verify(token(), forever)).toBe("ann");
    answers[0]?.();
  });

  test("keeps 50 tokens with unknown keys waiting, and the rest is refused at once", async () => {
    pass(5);
    const unknown = (kid: number) => verify(token(two, { kid: String(kid) }), forever);
    const waiting = Array.from({ length: 50 }, (_, kid) => unknown(kid));
    await until("the keys to be fetched", () => answers.length === 1);
    expect(await unavailable(unknown(50))).toBeUndefined();
    expect(await verify(token(), forever)).toBe("ann");
    answers[0]?.();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([undefined]));
    expect(answers).toHaveLength(1);
  });
});

describe("a document of more than 1 MiB is not read to its end, and then the keys cannot be had:", () => {
  const spaces = " ".repeat(65_536);
  const tooLong = expect.objectContaining({ message: expect.stringMatching(/ is longer than 1 MiB$/) });

  test.each(["/keys", discoveryPath])("%s that never ends", async (path) => {
    issuer.answer(path, (response) => {
      const writing = setInterval(() => response.write(spaces), 1);
      response.once("close", () => clearInterval(writing));
    });
    expect(await unavailable(verify(token(), forever))).toEqual(tooLong);
  });

  test("keys that are small only while they are compressed", async () => {
    const bomb = gzipSync(JSON.stringify({ keys: [key.jwk] }).padEnd(2_000_000));
    expect(bomb.length).toBeLessThan(10_000);
    issuer.answer("/keys", (response) => void response.writeHead(200, { "content-encoding": "gzip" }).end(bomb));
    expect(await unavailable(verify(token(), forever))).toEqual(tooLong);
  });

  test("up to that length they are read", async () => {
    issuer.answer("/keys", JSON.stringify({ keys: [key.jwk] }).padEnd(1_048_576));
    expect(await verify(token(), forever)).toBe("ann");
  });
});

describe("a rotated key", () => {
  test("is known to the first token it signs, and the withdrawn one is known no longer", async () => {
    expect(await verify(token(), forever)).toBe("ann");
    pass(5);
    issuer.publish(two);
    expect(await verify(token(two), forever)).toBe("ann");
    expect(await verify(token(), forever)).toBeUndefined();
    expect(keyFetches()).toBe(2);
  });

  test("may have moved to another URL", async () => {
    expect(await verify(token(), forever)).toBe("ann");
    pass(5);
    issuer.answer(discoveryPath, { issuer: issuer.url, jwks_uri: `${issuer.url}/new-keys` });
    issuer.answer("/new-keys", { keys: [two.jwk] });
    expect(await verify(token(two), forever)).toBe("ann");
  });

  test("is known after 5 seconds even when made-up tokens ask all the time", async () => {
    expect(await verify(token(), forever)).toBe("ann");
    pass(1);
    issuer.publish(key, two);
    for (let second = 0; second < 4; second++) {
      for (let i = 0; i < 10; i++) expect(await verify(token(two, { kid: `${second} ${i}` }), forever)).toBeUndefined();
      expect(keyFetches()).toBe(1);
      pass(1);
    }
    expect(await verify(token(two), forever)).toBe("ann");
  });

  test("is no reason to fetch more often than every 5 seconds for made-up tokens", async () => {
    for (let second = 0; second < 60; second++) {
      for (let i = 0; i < 5; i++) expect(await verify(token(two, { kid: `${second} ${i}` }), forever)).toBeUndefined();
      pass(1);
    }
    expect(keyFetches()).toBe(12);
  });

  test("that was withdrawn ends after 10 minutes at the latest", async () => {
    expect(await verify(token(), forever)).toBe("ann");
    issuer.publish(two);
    pass(599);
    expect(await verify(token(), forever)).toBe("ann");
    pass(1);
    expect(await verify(token(), forever)).toBeUndefined();
  });
});

describe("an issuer that is down", () => {
  test("at the start is asked again until it is there", async () => {
    await issuer.stop();
    expect(await unavailable(verify(token(), forever))).toBeInstanceOf(Error);
    await issuer.start();
    pass(1);
    expect(await verify(token(), forever)).toBe("ann");
  });

  test("later does not matter to the keys that are known, for 10 minutes", async () => {
    expect(await verify(token(), forever)).toBe("ann");
    await issuer.stop();
    pass(10);
    expect(await unavailable(verify(token(two), forever))).toBeInstanceOf(Error);
    expect(await verify(token(), forever)).toBe("ann");
    pass(589);
    expect(await verify(token(), forever)).toBe("ann");
    pass(1);
    expect(await unavailable(verify(token(), forever))).toBeInstanceOf(Error);
    await issuer.start();
    pass(1);
    expect(await verify(token(), forever)).toBe("ann");
  });

  test("is asked once a second, and each failure tells its cause once", async () => {
    issuer.answer("/keys", "down", 500);
    const causes: unknown[] = [];
    for (let second = 0; second < 3; second++) {
      causes.push(...(await Promise.all(Array.from({ length: 5 }, () => unavailable(verify(token(), forever))))));
      causes.push(await unavailable(verify(token(two), forever)));
      pass(1);
    }
    expect(keyFetches()).toBe(3);
    expect(causes.map((cause) => cause !== undefined)).toEqual(
      [0, 1, 2].flatMap(() => [true, false, false, false, false, false]),
    );
  });
});

describe("keys cannot be had from", () => {
  const weak = newKey("one", "RS256", 1_024);
  const strong = newKey("one", "RS256");
  const privateJwk = { ...key.privateKey.export({ format: "jwk" }), kid: "one", alg: "ES256" };
  const keysAt = (jwks_uri: unknown) => () => issuer.answer(discoveryPath, { issuer: issuer.url, jwks_uri });

  test.each<[string, () => void, SigningKey?]>([
    ["an error", () => issuer.answer("/keys", { keys: [key.jwk] }, 500)],
    ["a 404", () => issuer.answer("/keys", { keys: [key.jwk] }, 404)],
    ["a 206", () => issuer.answer("/keys", { keys: [key.jwk] }, 206)],
    ["a redirect", () => issuer.answer("/keys", (response) => response.writeHead(302, { location: "/real" }).end())],
    ["a page", () => issuer.answer("/keys", "<html>")],
    ["nothing", () => issuer.answer("/keys", "")],
    ["half an answer", () => issuer.answer("/keys", (response) => response.write("{", () => response.destroy()))],
    ["a broken connection", () => issuer.answer("/keys", (response) => response.destroy())],
    ["a list", () => issuer.answer("/keys", [key.jwk])],
    ["null", () => issuer.answer("/keys", "null")],
    ["an object without keys", () => issuer.answer("/keys", {})],
    ["keys that are no list", () => issuer.answer("/keys", { keys: key.jwk })],
    ["keys that are no objects", () => issuer.answer("/keys", { keys: ["one"] })],
    ["a key that is none", () => issuer.answer("/keys", { keys: [{ ...key.jwk, x: "AA" }] })],
    ["a key that is private", () => issuer.answer("/keys", { keys: [privateJwk] })],
    ["a key that is too weak", () => issuer.publish(weak), weak],
    [
      "a discovery that fails",
      () => issuer.answer(discoveryPath, { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` }, 503),
    ],
    ["a discovery that is a page", () => issuer.answer(discoveryPath, "<html>")],
    ["a discovery that is null", () => issuer.answer(discoveryPath, "null")],
    [
      "a discovery of another issuer",
      () => issuer.answer(discoveryPath, { issuer: "x", jwks_uri: `${issuer.url}/keys` }),
    ],
    ["a discovery of nobody", () => issuer.answer(discoveryPath, { jwks_uri: `${issuer.url}/keys` })],
    ["a discovery without keys", keysAt(undefined)],
    ["a discovery with many", keysAt(["https://issuer.example/keys"])],
    ["a discovery that names a path", keysAt("/keys")],
    ["a discovery that names http elsewhere", () => keysAt(`${issuer.url.replace("127.0.0.1", "0.0.0.0")}/keys`)()],
    ["a discovery that names data", keysAt(`data:application/json,${JSON.stringify({ keys: [key.jwk] })}`)],
  ])("%s", async (_name, breakIt, signer = key) => {
    issuer.answer("/real", { keys: [key.jwk] });
    breakIt();
    const cause = await unavailable(verify(token(signer), forever));
    expect(cause).toBeInstanceOf(Error);
    expect(issuer.requests).not.toContain("/real");

    issuer.answer(discoveryPath, { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` });
    issuer.publish(signer === weak ? strong : key);
    pass(600);
    expect(await verify(token(signer === weak ? strong : key), forever)).toBe("ann");
  });

  test("nowhere, when an issuer publishes none: a token is then signed with an unknown key", async () => {
    issuer.publish();
    expect(await verify(token(), forever)).toBeUndefined();
  });
});

describe("an issuer that hangs", () => {
  let release: () => void;
  beforeEach(() => {
    issuer.answer("/keys", (response) => {
      release = () => response.end(JSON.stringify({ keys: [key.jwk] }));
    });
  });
  const asked = () => until("the keys to be asked for", () => keyFetches() > 0);

  test("holds no request that is over, and answers the others", async () => {
    const over = new AbortController();
    const [first, second] = [verify(token(), over.signal), verify(token(), forever)];
    await asked();
    const reason = new Error("the deadline");
    over.abort(reason);
    await expect(first).rejects.toBe(reason);
    await expect(verify(token(), over.signal)).rejects.toBe(reason);
    release();
    expect(await second).toBe("ann");
    expect(keyFetches()).toBe(1);
  });

  test("is given up after five seconds, and then the keys cannot be had", async () => {
    fiveSecondsPass();
    expect(await unavailable(verify(token(), forever))).toMatchObject({ code: "ERR_JWKS_TIMEOUT" });
    issuer.answer(discoveryPath, () => {});
    pass(1);
    expect(await unavailable(verify(token(), forever))).toMatchObject({ code: "ERR_JWKS_TIMEOUT" });
  });

  test("tells its failure to the next request when no one waited for it", async () => {
    fiveSecondsPass();
    const over = new AbortController();
    const first = verify(token(), over.signal);
    over.abort();
    await expect(first).rejects.toThrow("aborted");
    expect(await unavailable(verify(token(), forever))).toMatchObject({ code: "ERR_JWKS_TIMEOUT" });
  });
});
