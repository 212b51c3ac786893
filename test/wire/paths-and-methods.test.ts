import { describe, expect, onTestFinished, test, vi } from "vitest";
import { expectError } from "../support/connect-errors.ts";
import { request, sendRaw } from "../support/raw-http.ts";
import { serveTests } from "../support/server.ts";

const server = await serveTests();

const list = "/service.authorization.v2.AuthorizationService/ListAuthorizations";

/** A request without any credentials. */
async function send(path: string, init: RequestInit) {
  const response = await fetch(server.url + path, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
}

describe("An unknown RPC or path is answered with 404 and unimplemented, and needs no credentials", () => {
  const unknown = [
    "/",
    "/nope",
    "/service.authorization.v2.AuthorizationService/",
    "/service.authorization.v2.AuthorizationService/Nope",
    `${list}/`,
    "/healthz/",
  ];

  test.each(unknown)("POST %s", async (path) => {
    const answer = await send(path, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
    expectError(answer, 404, "unimplemented", `nothing is served at ${path}`);
  });

  test.each(["GET", "PUT", "DELETE", "OPTIONS", "PATCH"])("%s /nope", async (method) => {
    expectError(await send("/nope", { method }), 404, "unimplemented");
  });

  test("whatever its body and its content type are", async () => {
    for (const [type, body] of [
      ["application/json", "{"],
      ["application/json", ""],
      ["application/json", JSON.stringify("x".repeat(2_000_000))],
      ["application/proto", "\0"],
      ["text/xml", "<x/>"],
      ["nonsense", "x"],
    ] as const) {
      const answer = await send("/nope", { method: "POST", headers: { "content-type": type }, body });
      expectError(answer, 404, "unimplemented");
    }
  });

  test("the query is no part of the path", async () => {
    expectError(await send("/nope?a=b", { method: "POST" }), 404, "unimplemented", "nothing is served at /nope");
    expectError(await send(`${list}?a=%zz`, { method: "GET" }), 405, "unimplemented");
  });
});

describe("A wrong HTTP method is answered with 405 and Allow, and needs no credentials", () => {
  test.each(["GET", "PUT", "DELETE", "PATCH", "OPTIONS"])("%s on an RPC", async (method) => {
    const answer = await send(list, { method });
    expectError(answer, 405, "unimplemented", `${method} is not supported here: use POST`);
    expect(answer.headers.get("allow")).toBe("POST");
  });

  test("HEAD on an RPC, without a body as HEAD wants it", async () => {
    const answer = await send(list, { method: "HEAD" });
    const found = [answer.status, answer.headers.get("allow"), answer.headers.get("content-type")];
    expect(found).toEqual([405, "POST", "application/json"]);
  });

  test.each(["TRACE", "PROPFIND", "QUERY", "PURGE"])("%s on an RPC", async (method) => {
    const answer = await sendRaw(server.url, request(`${method} ${list} HTTP/1.1`, { host: "x" }));
    expectError(answer, 405, "unimplemented", `${method} is not supported here: use POST`);
    expect(answer.headers.get("allow")).toBe("POST");
  });

  test("CONNECT, which asks for a tunnel", async () => {
    const answer = await sendRaw(server.url, request("CONNECT elsewhere.example:443 HTTP/1.1", { host: "x" }));
    expectError(answer, 405, "unimplemented", "CONNECT is not supported here");
    expect(answer.headers.get("allow")).toBe("GET, HEAD, POST");
  });

  test("GET with a request in the query, as Connect knows it for RPCs without effects", async () => {
    const query = "?connect=v1&encoding=json&message=%7B%7D";
    expectError(await send(list + query, { method: "GET" }), 405, "unimplemented");
  });

  test.each(["/healthz", "/readyz"])("POST on %s", async (path) => {
    const answer = await send(path, { method: "POST", headers: { "content-type": "application/json" }, body: "{" });
    expectError(answer, 405, "unimplemented", "POST is not supported here: use GET or HEAD");
    expect(answer.headers.get("allow")).toBe("GET, HEAD");
  });
});

describe("A wrong content type is answered with 415 and Accept-Post, and needs no credentials", () => {
  const served =
    "application/json, application/proto, application/grpc-web, application/grpc-web+proto, application/grpc-web+json";

  test.each([
    "text/plain",
    "application/grpc-web-text",
    "application/connect+json",
    "application/json; charset=latin1",
    "",
  ])("%j", async (type) => {
    const answer = await send(list, { method: "POST", headers: { "content-type": type }, body: "{}" });
    expectError(answer, 415, "unimplemented", `the content type must be one of ${served}`);
    expect(answer.headers.get("accept-post")).toBe(served);
  });

  test.each(["application/json; charset=utf-8", "application/json;charset=UTF-8", "APPLICATION/JSON"])(
    "%j is served",
    async (type) => {
      const answer = await send(list, { method: "POST", headers: { "content-type": type }, body: "{}" });
      expectError(answer, 401, "unauthenticated");
    },
  );
});

// Connect keeps those that its handlers are asked about, in maps.
test("A content type may have 100 characters. Nothing is kept of a longer one", async () => {
  const kept = vi.spyOn(Map.prototype, "set");
  onTestFinished(() => kept.mockRestore());
  const typeOf = (length: number) => "application/json; a=".padEnd(length, "x");
  const statuses = [];
  for (const path of [list, "/access/v1/evaluation"]) {
    for (const length of [100, 101, 15_000]) {
      const headers = { "content-type": typeOf(length) };
      statuses.push((await send(path, { method: "POST", headers, body: "{}" })).status);
    }
  }
  const keys = new Set(kept.mock.calls.map(([key]) => key));
  expect(statuses).toEqual([415, 415, 415, 401, 400, 400]);
  expect([100, 101, 15_000].filter((length) => keys.has(typeOf(length)))).toEqual([100]);
});

test.each(["application/grpc", "application/grpc+proto", "application/grpc+json"])(
  "%s over HTTP/1.1, which has no room for gRPC's trailers, is answered with 505",
  async (type) => {
    const answer = await send(list, { method: "POST", headers: { "content-type": type }, body: "" });
    expectError(answer, 505, "unimplemented", "gRPC needs HTTP/2: use that, or gRPC-Web, or the Connect protocol");
  },
);
