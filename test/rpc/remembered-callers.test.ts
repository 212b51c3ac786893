import { Code, ConnectError } from "@connectrpc/connect";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { authenticate, type Credentials } from "../../src/identity/authenticate.ts";
import { rememberCallers } from "../../src/identity/remembered-callers.ts";
import type { FoundCaller } from "../../src/identity/store.ts";
import { readAgain } from "../../src/rpc/body.ts";
import type { Call } from "../../src/rpc/call.ts";
import { checkCaller } from "../../src/rpc/gate.ts";
import { smallWorldOfTests } from "../support/database.ts";
import { frame, sendGrpcWeb } from "../support/frames.ts";
import { hold } from "../support/locks.ts";
import { callText, openRaw } from "../support/raw-http.ts";
import { expectRefusal, unauthenticated } from "../support/refusals.ts";
import { type Answer, serveTests } from "../support/server.ts";
import { recorderOfTests } from "../support/statement-recorder.ts";
import { listedTokens } from "../support/tokens.ts";
import { user } from "../support/world.ts";

const database = await smallWorldOfTests();
const recorder = await recorderOfTests(database.url);
// Any token that isn't a personal access token stands for the JWT of the user that it names.
const verifyJwt = async (token: string) => (expired.has(token) ? undefined : token);
const server = await serveTests({ database: { ...database, url: recorder.url }, verifyJwt });

/** JWTs that are no longer valid. */
const expired = new Set<string>();

let token: string;
const list = (body: object | string = {}, who = token) => server.call("ListAuthorizations", body, { token: who });
const total = async (who = token) => (await list({}, who)).body.pagination.totalResult;
const tokensOfRoot = () => server.callService("identity.v1.TokenService/ListTokens", { userId: "root" }, { token });

/** Someone who may see Globex, and whom the server remembers. */
beforeEach(async () => {
  await database.query("delete from administrators where user_id = 'adam'");
  await database.load({ administrator: { userId: "adam", organizationId: "globex", roles: ["ORG_OWNER_VIEWER"] } });
  token = await database.token("adam");
  expect(await total()).toBe(4);
});

const revoke = () => database.query("delete from tokens where user_id = 'adam'");

test("A read of a remembered caller is one statement", async () => {
  expect(await recorder.during(() => list())).toHaveLength(1);
  expect(await recorder.during(() => list({}, "bob"))).toHaveLength(2);
  expect(await recorder.during(() => list({}, "bob"))).toHaveLength(1);
  expect(await recorder.during(() => server.callDirectory("ListUsers", {}, { token }))).toHaveLength(1);
  expect(await recorder.during(() => server.call("UpdateAuthorization", { id: "none" }, { token }))).toHaveLength(2);
});

describe("A revoked token is refused by the next request", () => {
  test.each<[string, object | string]>([
    ["that is answered", {}],
    ["that is no JSON", "{"],
    ["with violations", { pagination: { limit: 100_000 } }],
    ["with a wrong page token", { pagination: { pageToken: "x" } }],
  ])("%s", async (_, body) => {
    await revoke();
    expectRefusal(await list(body), unauthenticated);
  });

  test("in gRPC-Web, with what is no message", async () => {
    await revoke();
    const headers = { authorization: `Bearer ${token}` };
    const path = "/service.authorization.v2.AuthorizationService/ListAuthorizations";
    const { trailers } = await sendGrpcWeb(server.url, path, { headers, body: frame("\xff\xff\xff") });
    expect(trailers.get("grpc-status")).toBe("16");
  });

  test("that would be denied", async () => {
    expect((await tokensOfRoot()).status).toBe(403);
    await revoke();
    expectRefusal(await tokensOfRoot(), unauthenticated);
  });

  test("that was sent before it was revoked, if its statement begins after that", async () => {
    const revoking = await hold(database, "lock table authorizations in access exclusive mode");
    await revoking.query("delete from tokens where user_id = 'adam'");
    const [answer] = await revoking.holdUp([list]);
    expectRefusal(answer, unauthenticated);
  });

  test("as is one that has expired, also without being noted as used", async () => {
    await database.query("update tokens set expiration_date = now() - interval '1 second' where user_id = 'adam'");
    expectRefusal(await list(), unauthenticated);
    const [shown] = await listedTokens(server, await database.token("adam"));
    expect(shown?.lastUseDate).toBeUndefined();
  });
});

describe("A remembered caller whose body is late", () => {
  const body = "{}";
  /** Sends a list without the end of its body. */
  function begin(who: string, more: Record<string, string> = {}) {
    const connection = openRaw(server.url);
    onTestFinished(() => connection.close());
    connection.send(callText(who, { body, sent: body.slice(0, 1), headers: more }));
    return connection;
  }

  test("is looked up after a second, and refused if the token was revoked", async () => {
    await revoke();
    const [answer] = await begin(token).answers(1);
    expectRefusal(answer as Answer, unauthenticated);
  });

  test("is looked up by the next request, if the time of this one is over before", async () => {
    await revoke();
    const [answer] = await begin(token, { "connect-timeout-ms": "200" }).answers(1);
    expect(answer?.status).toBe(504);
    const [next] = await begin(token, { "connect-timeout-ms": "800" }).answers(1);
    expectRefusal(next as Answer, unauthenticated);
  });

  test("is refused when the JWT has expired meanwhile", async () => {
    expect((await list({}, "bob")).status).toBe(200);
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const connection = begin("bob");
    // Another one on the same server is answered after this one's head was read.
    await list({}, token);
    expired.add("bob");
    onTestFinished(() => void expired.delete("bob"));
    vi.advanceTimersByTime(1_001);
    connection.send(body.slice(1));
    const [answer] = await connection.answers(1);
    expectRefusal(answer as Answer, unauthenticated);
  });
});

describe("What no statement has proven", () => {
  test.each([
    ["violations", JSON.stringify({ pagination: { limit: 100_000 } })],
    ["a wrong page token", JSON.stringify({ pagination: { pageToken: "wrong" } })],
  ])("is worked out once, and looked up once: %s", async (_, body) => {
    const parse = vi.spyOn(JSON, "parse");
    onTestFinished(() => parse.mockRestore());
    expect(await recorder.during(() => list(body))).toEqual(["find caller by token"]);
    expect(parse.mock.calls.filter(([text]) => text === body)).toHaveLength(1);
  });

  test("is answered within the time of the request, also when the look-up takes longer", async () => {
    await hold(database, "lock table tokens in access exclusive mode");
    const headers = { "connect-timeout-ms": "300" };
    const answer = await server.call("ListAuthorizations", "{", { token, headers });
    expect(answer.status).toBe(504);
  });

  test("is answered for the caller as it is now, also if a large body can't be read", async () => {
    await database.query("delete from administrators where user_id = 'adam'");
    const headers = { "connect-timeout-ms": "2000" };
    const answer = await server.call("ListAuthorizations", `${" ".repeat(100_000)}{`, { token, headers });
    expect(answer.status).toBe(400);
  });

  test("is read again in a turn, if the body is large", async () => {
    const takeTurn = vi.fn(async () => {});
    const read = { chunks: [Buffer.from("{}")], isAll: true, isLarge: true };
    const again = readAgain({ read, held: { takeTurn }, over: new AbortController() } as unknown as Call);
    expect((await again.next()).value).toEqual(Buffer.from("{}"));
    expect(takeTurn).toHaveBeenCalledOnce();
  });
});

describe("Rights count as they are in the statement's snapshot", () => {
  test("when an entry is removed", async () => {
    await database.query("delete from administrators where user_id = 'adam'");
    expect(await total()).toBe(2);
  });

  test("when an entry is added, also where the request was denied without it", async () => {
    expect((await tokensOfRoot()).status).toBe(403);
    await database.load({ administrator: { userId: "adam", instance: true, roles: ["IAM_OWNER"] } });
    expect((await tokensOfRoot()).status).toBe(200);
    expect(await total()).toBe(6);
  });

  test("when roles of an entry change, while the request waits", async () => {
    const changing = await hold(database, "lock table authorizations in access exclusive mode");
    await changing.query("delete from administrators where user_id = 'adam'");
    const [answer] = await changing.holdUp([list]);
    expect(answer.body.pagination.totalResult).toBe(2);
  });

  test("when an entry is removed while the first request of a token waits, which looked the caller up", async () => {
    const first = await database.token("adam");
    const changing = await hold(database, "lock table authorizations in access exclusive mode");
    await changing.query("delete from administrators where user_id = 'adam'");
    const [answer] = await changing.holdUp([() => list({}, first)]);
    expect(answer.body.pagination.totalResult).toBe(2);
  });

  test("of a removed user with a JWT", async () => {
    await database.load(user("gone", "acme"));
    expect(await total("gone")).toBe(0);
    await database.query("delete from users where id = 'gone'");
    expectRefusal(await list({}, "gone"), unauthenticated);
    await database.load(user("gone", "acme"));
    expect(await total("gone")).toBe(0);
  });
});

test.each<[boolean, string, Code, boolean]>([
  [false, "is refused because the server has no room", Code.Unavailable, true],
  [true, "is refused before its body was there", Code.Unavailable, false],
  [true, "ends at its deadline", Code.DeadlineExceeded, true],
])("Whether a caller is looked up next time (%s), when its request %s", async (isDoubted, _, code, isAll) => {
  const memory = rememberCallers();
  const found: FoundCaller = { userId: "adam", version: null, entries: [] };
  memory.keep("adam", found);
  const remembered = { caller: found, tokenHash: undefined, doubt: () => memory.doubt("adam") };
  const call = { remembered, failure: new ConnectError("nothing", code), read: { chunks: [], isAll, isLarge: false } };
  await checkCaller({ memory } as unknown as Credentials)(call as unknown as Call);
  expect(memory.recall("adam")?.isDoubted).toBe(isDoubted);
});

describe("The memory", () => {
  const caller = (userId: string, count = 0): FoundCaller => ({
    ...{ userId, version: null },
    entries: Array.from({ length: count }, () => ({ scope: { kind: "instance", id: "" }, roles: ["IAM_OWNER"] })),
  });

  test("forgets those who were not asked for longest, of more than 10,000", () => {
    const memory = rememberCallers();
    for (let number = 0; number < 10_000; number += 1) memory.keep(`${number}`, caller(`${number}`));
    memory.recall("0");
    memory.keep("new", caller("new"));
    const kept = ["0", "1", "2", "new"].filter((key) => memory.recall(key)?.caller.userId === key);
    expect(kept).toEqual(["0", "2", "new"]);
  });

  test("holds about 32 MiB, however many entries callers have", () => {
    const memory = rememberCallers();
    const keys = Array.from({ length: 200 }, (_, number) => `${number}`);
    for (const key of keys) memory.keep(key, caller(key, 1_000));
    const kept = keys.filter((key) => memory.recall(key) !== undefined);
    expect(kept.length).toBeGreaterThan(100);
    expect(kept.length).toBeLessThan(150);
    expect(kept.at(-1)).toBe("199");
  });

  test("keeps who is doubted, until the caller is looked up", () => {
    const memory = rememberCallers();
    memory.keep("one", caller("one"));
    memory.doubt("one");
    expect(memory.recall("one")).toEqual({ caller: caller("one"), isDoubted: true });
    memory.keep("one", caller("one"));
    expect(memory.recall("one")?.isDoubted).toBe(false);
  });

  test("forgets credentials that were not found", () => {
    const memory = rememberCallers();
    memory.keep("one", caller("one"));
    memory.keep("one", undefined);
    expect(memory.recall("one")).toBeUndefined();
  });

  describe("of requests that come at once with credentials it doesn't know", () => {
    const signal = new AbortController().signal;
    /** Sends five. Gives how often the caller was looked up, and whether each request has to prove it. */
    async function send(first: Promise<FoundCaller>) {
      const findByToken = vi.fn(async () => caller("one")).mockReturnValueOnce(first);
      const credentials = { callers: { findByToken }, memory: rememberCallers(), verifyJwt: undefined };
      const ask = () =>
        authenticate(credentials as unknown as Credentials, `Bearer ${token}`, { signal, mayRemember: true });
      const found = await Promise.allSettled(Array.from({ length: 5 }, ask));
      const proves = found.map((one) => one.status === "fulfilled" && one.value.remembered !== undefined);
      return { lookUps: findByToken.mock.calls.length, proves };
    }

    test("lets one look the caller up, and the others prove it", async () => {
      const proves = [false, true, true, true, true];
      expect(await send(Promise.resolve(caller("one")))).toEqual({ lookUps: 1, proves });
    });

    test("lets each look the caller up if that fails", async () => {
      expect((await send(Promise.reject(new Error("gone")))).lookUps).toBe(5);
    });
  });
});
