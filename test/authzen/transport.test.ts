import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { action, askAuthzen, resource, subject } from "../support/authzen.ts";
import { expectError } from "../support/connect-errors.ts";
import { openHttp2 } from "../support/http2.ts";
import { hold, waitingSessions } from "../support/locks.ts";
import { openRaw, request } from "../support/raw-http.ts";
import { expectRefusal, unauthenticated } from "../support/refusals.ts";
import { scrape } from "../support/scrape.ts";
import { serverInTest, serveSmallWorld, type TestServer } from "../support/server.ts";
import { until } from "../support/until.ts";

const { server, root: token } = await serveSmallWorld();

const evaluation = { subject: subject("ann"), action: action("seller"), resource: resource("shop") };
const endpoints: [string, object, number][] = [
  ["evaluation", evaluation, 1_048_576],
  ["evaluations", { ...evaluation, evaluations: [{}] }, 1_048_576],
  ["search/subject", evaluation, 524_288],
  ["search/resource", evaluation, 524_288],
  ["search/action", evaluation, 524_288],
];
const paths = endpoints.map(([path]) => path);

function send(path: string, options: RequestInit & { headers?: Record<string, string> }): Promise<Response> {
  return fetch(`${server.url}/access/v1/${path}`, {
    ...{ method: "POST", body: JSON.stringify(evaluation), ...options },
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...options.headers },
  });
}

/** The head of an evaluation whose body is still to come. */
function head(who: string, length: number): string {
  const headers = { host: "x", authorization: `Bearer ${who}`, "content-type": "application/json" };
  return request("POST /access/v1/evaluation HTTP/1.1", { ...headers, "content-length": String(length) });
}

/** Resolves when that many requests have a place on the server, whether or not their bodies have come. */
async function untilInFlight({ metricsUrl }: TestServer, count: number): Promise<void> {
  const inFlight = async () => (await scrape(metricsUrl)).values.get("authorization_requests_in_flight");
  await until(`${count} in flight`, async () => (await inFlight()) === count);
}

describe.each(endpoints)("POST /access/v1/%s", (path, request, most) => {
  test("needs credentials, before anything else is looked at", async () => {
    for (const [given, body] of [
      [undefined, request],
      ["authz_unknown", request],
      [undefined, "no JSON"],
    ] as const) {
      const answer = await askAuthzen(server, path, body, { token: given });
      expectRefusal(answer, unauthenticated);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    }
  });

  test("takes as many bytes as the RPC that it is like, and not one more", async () => {
    const body = JSON.stringify(request).padEnd(most, " ");
    expect((await askAuthzen(server, path, body, { token })).status).toBe(200);
    const over = await askAuthzen(server, path, `${body} `, { token });
    expectError(over, 429, "resource_exhausted", `the request must be at most ${most} bytes, got ${most + 1}`);
  });

  test("is logged by its name, with the caller", async () => {
    await askAuthzen(server, path, request, { token });
    const line = server.log.filter(({ msg }) => msg === "answered").at(-1);
    expect(line).toMatchObject({ rpc: `authzen/${path}`, protocol: "json", caller: "root", code: "ok", status: 200 });
  });
});

test.each(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])("%s is 405 at each path", async (method) => {
  for (const path of paths) {
    const { status, headers } = await fetch(`${server.url}/access/v1/${path}`, { method });
    expect({ status, allow: headers.get("allow") }).toEqual({ status: 405, allow: "POST" });
  }
});

test.each(["evaluation/", "Evaluation", "search", "evaluation%2F", ""])(
  "Nothing is served at /access/v1/%s",
  async (path) => {
    expect((await send(path, {})).status).toBe(404);
  },
);

test.each([
  "application/json",
  "application/json; charset=utf-8",
  'application/json;charset="UTF-8"',
  "Application/JSON; charset=utf-8; profile=none",
])("The content type %s is taken", async (type) => {
  expect((await send("evaluation", { headers: { "content-type": type } })).status).toBe(200);
});

test.each([
  "text/plain",
  "application/json-seq",
  "application/json;",
  "application/json; charset",
  "application/json, text/plain",
  "application/proto",
  "application/grpc",
  "application/grpc-web+json",
  "application/connect+json",
  "none",
])("The content type %s is 400", async (type) => {
  for (const path of paths) {
    const answer = await send(path, { headers: { "content-type": type } });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: "invalid_argument" });
  }
});

test("A body with a content encoding is 400", async () => {
  const body = gzipSync(JSON.stringify(evaluation));
  expect((await send("evaluation", { body, headers: { "content-encoding": "gzip" } })).status).toBe(400);
});

test("A body that is no UTF-8 is 400", async () => {
  expect((await send("evaluation", { body: Buffer.from([0x7b, 0xff, 0x7d]) })).status).toBe(400);
});

describe("X-Request-ID comes back as it was sent", () => {
  const id = `"a b" <c>/${"x".repeat(200)} \u00e9`;

  test("with every status, and logs don't have it", async () => {
    const before = server.log.length;
    const headers = { "x-request-id": id };
    for (const [status, options] of [
      [200, {}],
      [400, { body: "" }],
      [400, { headers: { "content-type": "text/plain" } }],
      [401, { headers: { authorization: "Bearer none" } }],
      [405, { method: "PUT" }],
    ] as const) {
      const answer = await send("evaluation", {
        ...options,
        headers: { ...headers, ...("headers" in options && options.headers) },
      });
      expect([answer.status, answer.headers.get("x-request-id")]).toEqual([status, id]);
    }
    expect(JSON.stringify(server.log.slice(before))).not.toContain("x".repeat(65));
  });

  test("over HTTP/2", async () => {
    const client = openHttp2(server.url);
    const answer = await client.send(
      {
        ...{ ":method": "POST", ":path": "/access/v1/evaluation", authorization: `Bearer ${token}` },
        ...{ "content-type": "application/json", "x-request-id": id },
      },
      JSON.stringify(evaluation),
    );
    expect(answer).toMatchObject({ status: 200, body: { decision: true } });
    expect(answer.headers.get("x-request-id")).toBe(id);
    await client.close();
  });

  test("and an RPC still answers with the id of its log lines", async () => {
    const headers = { "x-request-id": "not well formed" };
    const answer = await server.call("ListAuthorizations", {}, { token, headers });
    expect(answer.headers.get("x-request-id")).not.toBe(headers["x-request-id"]);
  });
});

describe("The limits of RPCs hold:", () => {
  let limited: TestServer;

  async function start(limits: object): Promise<(path: string, request: object) => ReturnType<typeof askAuthzen>> {
    limited = await serverInTest({ database: server.database, limits, metrics: true });
    return (path, request) => askAuthzen(limited, path, request, { token });
  }

  test("RATE_LIMIT counts every request", async () => {
    const ask = await start({ rateLimit: { requests: endpoints.length, periodMs: 60_000 } });
    for (const [path, request] of endpoints) expect((await ask(path, request)).status).toBe(200);
    for (const [path, request] of endpoints) {
      const answer = await ask(path, request);
      expect(answer).toMatchObject({ status: 429, body: { code: "resource_exhausted" } });
      expect(answer.body.details[0].debug.reason).toBe("RATE_LIMITED");
    }
  });

  test("a request without a deadline ends at the default one, and its statement is cancelled", async () => {
    const ask = await start({ defaultTimeoutMs: 300 });
    const lock = await hold(server.database, "lock table authorizations in access exclusive mode");
    const answers = await Promise.all(endpoints.slice(0, 2).map(([path, request]) => ask(path, request)));
    for (const answer of answers) expectError(answer, 504, "deadline_exceeded");
    await until("no statement to wait", async () => (await waitingSessions(server.database)).length === 0);
    await lock.commit();
  });

  test("a client that goes away cancels its statement", async () => {
    const lock = await hold(server.database, "lock table authorizations in access exclusive mode");
    const leave = new AbortController();
    const left = send("evaluation", { signal: leave.signal });
    await until("the statement to wait", async () => (await waitingSessions(server.database)).length === 1);
    leave.abort();
    await expect(left).rejects.toThrow();
    await until("no statement to wait", async () => (await waitingSessions(server.database)).length === 0);
    await lock.commit();
  });

  test("a caller has half of the requests in flight, and beyond all of them is OVERLOADED", async () => {
    const ask = await start({ maximumInFlight: 2, defaultTimeoutMs: 5_000 });
    const lock = await hold(server.database, "lock table authorizations in access exclusive mode");
    const held = ask("evaluation", evaluation);
    await until("the statement to wait", async () => (await waitingSessions(server.database)).length === 1);
    const second = await ask("search/subject", evaluation);
    expect(second.body.details[0].debug.reason).toBe("RATE_LIMITED");
    // A body that doesn't arrive holds the other place.
    const raw = openRaw(limited.url);
    raw.send(head(await server.database.token("ann"), 9));
    await untilInFlight(limited, 2);
    const third = await ask("evaluation", evaluation);
    expect(third.headers.get("retry-after")).toBe("1");
    expect(third.body.details[0].debug.reason).toBe("OVERLOADED");
    raw.close();
    await lock.commit();
    expect((await held).status).toBe(200);
  });
});

test("Rights that are taken away before a body has arrived don't count", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  // One connection, so that whoever is answered knows that all who asked before have been looked up.
  const one = await serverInTest({ database: server.database, poolSize: 1, metrics: true });
  const raw = openRaw(one.url);
  const body = JSON.stringify(evaluation);
  raw.send(head(await server.database.token("bob"), body.length));
  await untilInFlight(one, 1);
  expect((await askAuthzen(one, "evaluation", evaluation, { token })).status).toBe(200);
  await server.database.query("delete from tokens where user_id = 'bob'");
  vi.advanceTimersByTime(1_001);
  raw.send(body);
  const [answer] = await raw.answers(1);
  expect(answer?.status).toBe(401);
  raw.close();
});

test("A large request that waits for Postgres lets large ones of others be read", async () => {
  const padding = "x".repeat(100_000);
  const lock = await hold(server.database, "lock table authorizations in access exclusive mode");
  const waiting = askAuthzen(server, "evaluation", { ...evaluation, padding }, { token });
  await lock.untilWaiting(1);
  const others = await server.database.token("ann");
  const answer = await server.call("ListAuthorizations", `{"padding": "${padding}"}`, { token: others });
  expectError(answer, 400, "invalid_argument");
  await lock.rollback();
  expect((await waiting).status).toBe(200);
});
