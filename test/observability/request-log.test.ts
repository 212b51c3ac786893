import { beforeEach, describe, expect, test } from "vitest";
import { post } from "../support/call-headers.ts";
import { hold } from "../support/locks.ts";
import { request, sendRaw } from "../support/raw-http.ts";
import { scrape } from "../support/scrape.ts";
import { serverInTest, serveSmallWorld } from "../support/server.ts";
import { until } from "../support/until.ts";

const lists = "service.authorization.v2.AuthorizationService/ListAuthorizations";
const info = 30;

let from = 0;

const { server, root: token } = await serveSmallWorld();
beforeEach(() => {
  from = server.log.length;
});

/** What was logged at info or worse since the test began, without what every line has. */
function lines(): Record<string, unknown>[] {
  return server.log
    .slice(from)
    .filter(({ level }) => Number(level) >= info)
    .map(({ time, pid, hostname, ...line }) => line);
}

const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
const durationMs = expect.any(Number);

describe("one line for each request", () => {
  test("of a list, with who asked", async () => {
    const answer = await server.call("ListAuthorizations", { pagination: { limit: 2 } }, { token });
    expect(lines()).toEqual([
      {
        level: info,
        requestId: answer.headers.get("x-request-id"),
        rpc: lists,
        protocol: "connect",
        caller: "root",
        code: "ok",
        status: 200,
        durationMs,
        msg: "answered",
      },
    ]);
  });

  test.each<[string, code: string, body: string, headers?: Record<string, string | undefined>, reason?: string]>([
    ["an RPC's refusal", "not_found", '{"id":"never"}', {}, "AUTHORIZATION_NOT_FOUND"],
    ["a broken rule", "invalid_argument", '{"id":""}'],
    ["malformed JSON", "invalid_argument", "{"],
    ["no credentials", "unauthenticated", "{}", { authorization: undefined }, "UNAUTHENTICATED"],
    ["a missing protocol version", "invalid_argument", "{}", { "connect-protocol-version": undefined }],
    ["an unknown compression", "unimplemented", "{}", { "content-encoding": "zstd" }],
  ])("answered with %s, whoever in the server says so", async (_what, code, body, headers = {}, reason) => {
    const answer = await server.call("UpdateAuthorization", body, { token, headers });
    expect(answer.body.code).toBe(code);
    expect(lines()).toEqual([
      {
        level: info,
        requestId: id,
        rpc: "service.authorization.v2.AuthorizationService/UpdateAuthorization",
        protocol: "connect",
        ...(code === "unauthenticated" ? { unacceptable: "no bearer token" } : { caller: "root" }),
        code,
        ...(reason !== undefined && { reason }),
        status: answer.status,
        durationMs,
        msg: "answered",
      },
    ]);
  });

  test("of a change, with the request id of its events", async () => {
    const user = { id: "joiner", organizationId: "acme", preferredLoginName: "joiner", displayName: "Joiner" };
    await server.callDirectory("ApplyChanges", { changes: [{ user }] }, { token });
    const assignment = { userId: "joiner", projectId: "shop", organizationId: "acme", roleKeys: ["seller"] };
    await server.call("CreateAuthorization", assignment, { token });
    const [directoryLine, line] = lines();
    const [made] = await server.database.query(
      "select request_id from directory_events order by sequence desc limit 1",
    );
    const [assigned] = await server.database.query("select request_id from events order by sequence desc limit 1");
    expect([directoryLine?.change, line?.change]).toEqual([made?.request_id, assigned?.request_id]);
  });

  test("that meets its deadline", async () => {
    const lock = await hold(server.database, "lock table authorizations in access exclusive mode");
    await server.call("ListAuthorizations", {}, { token, headers: { "connect-timeout-ms": "50" } });
    await lock.rollback();
    expect(lines()).toEqual([expect.objectContaining({ rpc: lists, code: "deadline_exceeded", status: 504 })]);
  });

  test("whose client goes away", async () => {
    const lock = await hold(server.database, "lock table authorizations in access exclusive mode");
    const leaving = new AbortController();
    const call = post(server.url, token, "ListAuthorizations", {}, { signal: leaving.signal });
    const left = expect(call).rejects.toThrow();
    await lock.untilWaiting(1);
    leaving.abort();
    await left;
    await until("the line", () => lines().length > 0);
    await lock.rollback();
    expect(lines()).toEqual([expect.objectContaining({ rpc: lists, caller: "root", code: "canceled", status: 499 })]);
  });

  test("but none for health checks and preflights", async () => {
    for (const path of ["healthz", "readyz"]) expect((await fetch(`${server.url}/${path}`)).status).toBe(200);
    expect(lines()).toEqual([]);
  });
});

describe("what reaches no RPC", () => {
  const post = `POST /${lists} HTTP/1.1`;

  test.each([
    ["an unknown path", 404, "unimplemented", request("POST /Nope/secret HTTP/1.1", { host: "x" })],
    ["a path that is none", 404, "unimplemented", request("POST /%zz HTTP/1.1", { host: "x" })],
    ["a wrong method", 405, "unimplemented", request(`GET /${lists} HTTP/1.1`, { host: "x" })],
    ["a wrong content type", 415, "unimplemented", request(post, { host: "x", "content-type": "text/plain" })],
    ["a Host that is none", 400, "invalid_argument", request(post, { host: "a b" })],
  ])("is one line that repeats nothing of it: %s", async (_what, status, code, bytes) => {
    const answer = await sendRaw(server.url, bytes);
    expect(answer.status).toBe(status);
    expect(lines()).toEqual([
      {
        level: info,
        requestId: answer.headers.get("x-request-id"),
        rpc: "none",
        protocol: "connect",
        ...{ status, code },
        msg: "refused",
      },
    ]);
  });

  test("also when there are too many requests", async () => {
    const busy = await serverInTest({ database: server.database, limits: { maximumInFlight: 1 }, metrics: true });
    const lock = await hold(server.database, "lock table authorizations in access exclusive mode");
    const first = busy.call("ListAuthorizations", {}, { token });
    await lock.untilWaiting(1);
    const refused = await busy.call("ListAuthorizations", {}, { token });
    const { values } = await scrape(busy.metricsUrl);
    await lock.rollback();
    await first;
    const [line] = busy.log.filter(({ msg }) => msg === "refused");
    expect(line).toMatchObject({
      requestId: refused.headers.get("x-request-id"),
      rpc: "none",
      code: "unavailable",
      reason: "OVERLOADED",
      status: 503,
    });
    const series = 'authorization_refused_total{rpc="none",protocol="connect",code="unavailable",reason="OVERLOADED"}';
    expect(values.get(series)).toBe(1);
  });

  test("also when it is no HTTP at all", async () => {
    await sendRaw(server.url, "SAY secret\r\n\r\n");
    expect(lines()).toEqual([
      { level: info, rpc: "none", reason: "UNREADABLE", error: "HPE_INVALID_METHOD", msg: "refused" },
    ]);
  });
});

describe("the request id", () => {
  test("is the caller's, when it is well-formed, and in every line of the request", async () => {
    const headers = { "x-request-id": "Order-66.a" };
    await server.database.query("alter table users rename column display_name to gone");
    const answer = await server
      .call("ListAuthorizations", {}, { token, headers })
      .finally(() => server.database.query("alter table users rename column gone to display_name"));
    expect(answer.headers.get("x-request-id")).toBe("Order-66.a");
    expect(lines().map(({ msg, requestId }) => [msg, requestId])).toEqual([
      ["unexpected failure", "Order-66.a"],
      ["answered", "Order-66.a"],
    ]);
  });

  test.each(["", "a b", "a_b", "authz_secret", '"', "ä", "x".repeat(65), "a, b"])("is new, not %j", async (given) => {
    const bytes = request("GET /healthz HTTP/1.1", { host: "x", "x-request-id": given });
    const answer = await sendRaw(server.url, bytes);
    expect(answer.headers.get("x-request-id")).toEqual(id);
  });

  test("is another one each time", async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await fetch(`${server.url}/healthz`)).headers.get("x-request-id")),
    );
    expect(new Set(ids).size).toBe(3);
  });
});

test("Names, login names, bodies and tokens are in no line at info or worse, whatever goes wrong", async () => {
  const secrets = ["Personal Name", "login@acme.example", "role-of-body", token, "authz_unknown"];
  const person = { organizationId: "acme", preferredLoginName: "login@acme.example", displayName: "Personal Name" };
  await server.database.load({ user: { ...person, id: "pers" } });
  const user = { ...person, id: "x" };
  // Postgres repeats the row in the detail of each of these.
  await server.database.query("alter table users add constraint planted check (id <> 'x')");
  expect((await server.callDirectory("ApplyChanges", { changes: [{ user }] }, { token })).status).toBe(500);
  await server.database.query("alter table users drop constraint planted");
  await server.database.query("create unique index planted on users (display_name)");
  expect((await server.callDirectory("ApplyChanges", { changes: [{ user }] }, { token })).status).toBe(500);
  await server.database.query("drop index planted");
  const filters = [{ userPreferredLoginName: { loginName: "login@acme.example" } }];
  await server.call("ListAuthorizations", { filters }, { token });
  await server.call("UpdateAuthorization", { id: "a1", roleKeys: ["role-of-body"] }, { token });
  await server.call("UpdateAuthorization", '{"role-of-body":1}', { token: "authz_unknown" });
  const written = JSON.stringify(lines());
  expect(lines().filter(({ level }) => level === 50)).toHaveLength(2);
  expect(written).toContain('"constraint":"planted"');
  for (const secret of secrets) expect(written).not.toContain(secret);
});
