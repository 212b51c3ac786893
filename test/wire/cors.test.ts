import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";
import { describe, expect, test } from "vitest";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { Health } from "../../gen/grpc/health/v1/health_pb.ts";
import { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { fetchFrom } from "../support/browser-fetch.ts";
import { expectError } from "../support/connect-errors.ts";
import { serveTests, type TestServer } from "../support/server.ts";

const allowed = ["https://shop.example", "http://localhost:3000"];
const listed = await serveTests({ smallWorld: true, corsOrigins: allowed });
const any = await serveTests({ corsOrigins: ["*"], database: listed.database });
const none = await serveTests({ database: listed.database });
const token = await listed.database.token("root");

const path = "/service.authorization.v2.AuthorizationService/ListAuthorizations";

const preflight = (server: TestServer, origin: string, at = path) =>
  fetch(server.url + at, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,connect-protocol-version,connect-timeout-ms,content-type",
    },
  });

const call = (server: TestServer, origin: string, headers: Record<string, string | undefined> = {}) =>
  server.call("ListAuthorizations", {}, { token, headers: { origin, ...headers } });

const lower = (list: string | null) => (list ?? "").toLowerCase().split(/ *, */);

test.each(allowed)(
  "A preflight from a listed origin: %s is answered without credentials, with what Connect and Authorization need",
  async (origin) => {
    const answer = await preflight(listed, origin);
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
    expect(answer.headers.get("access-control-allow-methods")).toBe("POST");
    expect(lower(answer.headers.get("access-control-allow-headers"))).toEqual(
      expect.arrayContaining(["authorization", "content-type", "connect-protocol-version", "connect-timeout-ms"]),
    );
    // What finds a call again in logs and traces.
    expect(lower(answer.headers.get("access-control-allow-headers"))).toEqual(
      expect.arrayContaining(["x-change-reason", "x-request-id", "traceparent", "tracestate"]),
    );
    expect(lower(answer.headers.get("vary"))).toContain("origin");
    expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
  },
);

describe("A page of a listed origin", () => {
  const origin = "https://shop.example";

  test.each([
    ["gRPC-Web", createGrpcWebTransport],
    ["Connect", createConnectTransport],
  ])("calls by %s, with a deadline, and reads why it was refused", async (_protocol, create) => {
    const transport = create({ baseUrl: listed.url, useBinaryFormat: true, fetch: fetchFrom(origin) });
    const client = createClient(AuthorizationService, transport);
    const headers = new Headers();
    const options = {
      headers: { Authorization: `Bearer ${token}`, "X-Request-Id": "from-a-page" },
      timeoutMs: 60_000,
      onHeader: (sent: Headers) => {
        for (const [name, value] of sent) headers.set(name, value);
      },
    };
    const { authorizations } = await client.listAuthorizations({}, options);
    expect(authorizations).toHaveLength(6);
    expect(headers.get("x-request-id")).toBe("from-a-page");
    const error = await client
      .deleteAuthorization({ id: "never" }, options)
      .catch((refused) => ConnectError.from(refused));
    expect(error).toMatchObject({ code: Code.NotFound });
    expect((error as ConnectError).findDetails(ErrorInfoSchema)).toMatchObject([{ reason: "AUTHORIZATION_NOT_FOUND" }]);
  });

  test("may send and read every header of gRPC-Web", async () => {
    const { headers } = await preflight(listed, origin);
    expect(lower(headers.get("access-control-allow-headers"))).toEqual(
      expect.arrayContaining(["x-grpc-web", "x-user-agent", "grpc-timeout"]),
    );
    const response = await call(listed, origin);
    expect(lower(response.headers.get("access-control-expose-headers"))).toEqual(
      expect.arrayContaining(["grpc-status", "grpc-message", "grpc-status-details-bin"]),
    );
  });

  test("of another origin reads nothing", async () => {
    const transport = createGrpcWebTransport({ baseUrl: listed.url, fetch: fetchFrom("https://evil.example") });
    await expect(createClient(Health, transport).check({})).rejects.toThrow("Failed to fetch");
  });
});

describe("A call from a listed origin", () => {
  test("may be read, and so may what the caller needs of the headers", async () => {
    const { status, headers } = await call(listed, "https://shop.example");
    expect([status, headers.get("access-control-allow-origin")]).toEqual([200, "https://shop.example"]);
    expect(lower(headers.get("vary"))).toContain("origin");
    expect(lower(headers.get("access-control-expose-headers"))).toEqual(
      expect.arrayContaining(["www-authenticate", "retry-after", "x-request-id"]),
    );
  });

  test("may be read also when it failed, whatever failed", async () => {
    const origin = "https://shop.example";
    const unknown = await fetch(`${listed.url}/nope`, { method: "POST", headers: { origin } });
    const failures = [
      unknown,
      await call(listed, origin, { authorization: undefined }),
      await call(listed, origin, { "connect-protocol-version": undefined }),
      await call(listed, origin, { "content-type": "text/plain" }),
      await call(listed, origin, { "connect-timeout-ms": "0" }),
    ];
    expect(failures.map(({ status }) => status)).toEqual([404, 401, 400, 415, 504]);
    for (const { headers } of failures) expect(headers.get("access-control-allow-origin")).toBe(origin);
  });
});

test.each(["https://evil.example", "https://shop.example.evil.example", "http://shop.example", "null"])(
  "The origin %s, which is not listed, is not allowed to read anything",
  async (origin) => {
    expect((await preflight(listed, origin)).headers.has("access-control-allow-origin")).toBe(false);
    const { headers } = await call(listed, origin);
    expect(headers.has("access-control-allow-origin")).toBe(false);
    expect(lower(headers.get("vary"))).toContain("origin");
  },
);

test("With * any origin may", async () => {
  const answer = await preflight(any, "https://anyone.example");
  expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
  expect(lower(answer.headers.get("access-control-allow-headers"))).toContain("authorization");
  expect((await call(any, "null")).headers.get("access-control-allow-origin")).toBe("*");
});

test("Without configured origins there is no CORS: a preflight is a wrong method", async () => {
  const answer = await preflight(none, "https://shop.example");
  expectError({ status: answer.status, headers: answer.headers, body: await answer.json() }, 405, "unimplemented");
  expect(answer.headers.has("access-control-allow-origin")).toBe(false);
  expect((await call(none, "https://shop.example")).headers.has("access-control-allow-origin")).toBe(false);
});
