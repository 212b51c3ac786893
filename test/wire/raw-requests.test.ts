import { describe, expect, test } from "vitest";
import { callHeaders } from "../support/call-headers.ts";
import { expectError } from "../support/connect-errors.ts";
import { openRaw, request, sendRaw } from "../support/raw-http.ts";
import { serveSmallWorld } from "../support/server.ts";
import { until } from "../support/until.ts";

const { server, root } = await serveSmallWorld();

const list = "/service.authorization.v2.AuthorizationService/ListAuthorizations";
const post = `POST ${list} HTTP/1.1`;

/** The headers of a call that is in order, but for its Host and the length of its body. */
const called = () => callHeaders(root);

describe("A Host that is missing or malformed is answered with invalid_argument", () => {
  test.each([
    ["HTTP/1.0 without one", "HTTP/1.0", {}],
    ["HTTP/1.1 without one", "HTTP/1.1", {}],
    ["an empty one", "HTTP/1.1", { host: "" }],
    ["with a space", "HTTP/1.1", { host: "a b" }],
    ["a port beyond all ports", "HTTP/1.1", { host: "localhost:99999" }],
    ["half an IPv6 address", "HTTP/1.1", { host: "[::1" }],
  ])("%s", async (_, version, host: Record<string, string>) => {
    const text = request(`POST ${list} ${version}`, { ...host, ...called(), "content-length": "2" }, "{}");
    expectError(await sendRaw(server.url, text), 400, "invalid_argument", "the Host header is missing or malformed");
  });

  test("health checks are answered without one, as balancers send them", async () => {
    expect(await sendRaw(server.url, "GET /healthz HTTP/1.0\r\n\r\n")).toMatchObject({
      status: 200,
      body: { status: "alive" },
    });
  });

  test("HTTP/1.0 with a Host is served, and the connection closed", async () => {
    const text = request(`POST ${list} HTTP/1.0`, { host: "x", ...called(), "content-length": "2" }, "{}");
    const answer = await sendRaw(server.url, text);
    expect(answer).toMatchObject({ status: 200, body: { pagination: { totalResult: 6 } } });
    expect(answer.headers.get("connection")).toBe("close");
  });
});

describe("What is no HTTP request is answered, in Connect's shape, and the connection closed", () => {
  test.each([
    ["words", "hello\r\n\r\n"],
    ["the start of TLS", Buffer.from([0x16, 3, 1, 0, 5, 1, 2, 3, 4, 5])],
    ["the method of HTTP/2's preface", request("PRI * HTTP/2.0", { host: "x" })],
    ["an unknown method", request("NOPE / HTTP/1.1", { host: "x" })],
  ])("%s", async (_, bytes) => {
    const connection = openRaw(server.url);
    connection.send(bytes);
    const [answer] = await connection.answers(1);
    if (answer !== undefined) expectError(answer, 400, "invalid_argument", "malformed HTTP request");
    expect(answer?.headers.get("connection")).toBe("close");
    await connection.untilClosed();
    connection.close();
  });

  test("a broken chunk in the body of a call", async () => {
    const text = request(post, { host: "x", ...called(), "transfer-encoding": "chunked" }, "zz\r\n{}\r\n");
    expectError(await sendRaw(server.url, text), 400, "invalid_argument", "malformed HTTP request");
  });

  test.each([
    ["headers", request("GET / HTTP/1.1", { host: "x", long: "a".repeat(20_000) })],
    ["a path", request(`GET /${"a".repeat(20_000)} HTTP/1.1`, { host: "x" })],
    ["a token", request(post, { host: "x", authorization: `Bearer ${"a".repeat(20_000)}` })],
  ])("%s too large, which is resource_exhausted", async (_, text) => {
    expectError(await sendRaw(server.url, text), 431, "resource_exhausted", "the headers are too large");
  });

  test("and nothing of it is an unexpected failure", () => {
    expect(server.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  test("a client that neither reads nor hangs up does not keep its connection", async () => {
    const connection = openRaw(server.url);
    connection.send("hello\r\n\r\n");
    await connection.answers(1);
    await until("the server to close it", async () => (await server.openConnections()) === 0);
    connection.close();
  });
});

test("a body that is not read because the call is refused does not disturb the next call on the connection", async () => {
  const connection = openRaw(server.url);
  const piece = `c350\r\n${"x".repeat(50_000)}\r\n`;
  connection.send(
    request(post, { host: "x", "content-type": "application/json", "transfer-encoding": "chunked" }, piece),
  );
  await connection.answers(1);
  connection.send(
    `${piece.repeat(100)}0\r\n\r\n${request(post, { host: "x", ...called(), "content-length": "2" }, "{}")}`,
  );
  const answers = await connection.answers(2);
  connection.close();
  expect(answers.map(({ status }) => status)).toEqual([401, 200]);
});
