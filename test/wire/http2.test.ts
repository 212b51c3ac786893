import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { expectError } from "../support/connect-errors.ts";
import { callOf, type Http2Client, openHttp2 } from "../support/http2.ts";
import { openRaw, request } from "../support/raw-http.ts";
import { type Answer, startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let root: string;
let client: Http2Client;

beforeAll(async () => {
  server = await startTestServer({ smallWorld: true });
  root = await server.database.token("root");
  client = openHttp2(server.url);
});
afterAll(async () => {
  await client.close();
  await server.stop();
});

describe("Over HTTP/2 with prior knowledge", () => {
  test("an RPC is answered as over HTTP/1.1, with the same headers", async () => {
    const request = { filters: [{ userId: { id: "ann" } }] };
    const one = await server.call("ListAuthorizations", request, { token: root, headers: { "x-request-id": "a" } });
    const two = await client.call("ListAuthorizations", root, request, { "x-request-id": "a" });
    expect(two.body).toEqual(one.body);
    const ofConnection = ["connection", "keep-alive", "content-length", "date"];
    const ownHeaders = ({ headers }: Answer) => [...headers].filter(([name]) => !ofConnection.includes(name));
    expect([two.status, ownHeaders(two)]).toEqual([200, ownHeaders(one)]);
  });

  test("a client of Connect works", async () => {
    const transport = createConnectTransport({
      baseUrl: server.url,
      httpVersion: "2",
      interceptors: [
        (next) => (call) => {
          call.header.set("authorization", `Bearer ${root}`);
          return next(call);
        },
      ],
    });
    const { pagination } = await createClient(AuthorizationService, transport).listAuthorizations({});
    expect(pagination?.totalResult).toBe(6);
  });

  test("health checks and documents are served", async () => {
    expect(await client.get("/healthz")).toMatchObject({ status: 200, body: { status: "alive" } });
    expect(await client.get("/readyz")).toMatchObject({ status: 200, body: { status: "ready" } });
    expect(await client.get("/openapi.json")).toMatchObject({ status: 200, body: { openapi: "3.1.1" } });
  });

  test.each([
    ["a path that is not served", { ":path": "/nowhere" }, 404, "unimplemented", "nothing is served at /nowhere"],
    ["a path of the router's", { ":path": "//" }, 404, "unimplemented", "nothing is served at //"],
    ["a wrong method", { ":method": "PUT" }, 405, "unimplemented", "PUT is not supported here: use POST"],
    [
      "another content type",
      { "content-type": "text/plain" },
      415,
      "unimplemented",
      /^the content type must be one of /,
    ],
    ["no token", { authorization: "" }, 401, "unauthenticated", /./],
    [
      "a malformed authority",
      { ":authority": "a:99999" },
      400,
      "invalid_argument",
      "the Host header is missing or malformed",
    ],
    [
      "another Host than the authority",
      { ":authority": "a", host: "b" },
      400,
      "invalid_argument",
      "the Host header must equal :authority",
    ],
  ])("%s is refused in Connect's format", async (_, headers, status, code, message) => {
    const answer = await client.send(callOf("ListAuthorizations", root, headers), "{}");
    expectError(answer, status, code, message);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    // The connection still works.
    expect((await client.get("/healthz")).status).toBe(200);
  });

  test("two credentials are refused", async () => {
    const strange = openHttp2(server.url, { strictSingleValueFields: false } as object);
    const twice = { authorization: [`Bearer ${root}`, `Bearer ${root}`] as never };
    const answer = await strange.send(callOf("ListAuthorizations", root, twice), "{}");
    expectError(answer, 400, "invalid_argument", "send only one Authorization header");
    await strange.close();
  });

  test("a tunnel is refused", async () => {
    const answer = await client.send({ ":method": "CONNECT", ":authority": "elsewhere:80" });
    expectError(answer, 405, "unimplemented", "CONNECT is not supported here: use GET, HEAD or POST");
    expect(answer.headers.get("allow")).toBe("GET, HEAD, POST");
  });

  test("calls and refusals are logged as over HTTP/1.1", async () => {
    const headers = { "x-request-id": "over-http2" };
    await client.call("ListAuthorizations", root, {}, headers);
    await client.send({ ":method": "POST", ":path": "/nowhere", ...headers, "x-request-id": "nowhere-there" });
    const logged = (id: string) => server.log.filter(({ requestId }) => requestId === id);
    expect(logged("over-http2")).toMatchObject([{ msg: "answered", code: "ok", caller: "root", rows: 6 }]);
    expect(logged("nowhere-there")).toMatchObject([{ msg: "refused", code: "unimplemented", status: 404 }]);
  });

  test("an unknown method is malformed, as over HTTP/1.1", async () => {
    const answer = client.send({ ":method": "NOPE", ":path": "/healthz" });
    await expect(answer).rejects.toThrow("NGHTTP2_PROTOCOL_ERROR");
    expect((await client.get("/healthz")).status).toBe(200);
  });

  test("a body of more than the window waits until it is read", async () => {
    const body = `{}${" ".repeat(500_000)}`;
    const answer = await client.send(callOf("ListAuthorizations", root), body);
    expect(answer.status).toBe(200);
  });

  test("bodies that are refused unread don't use up the connection", async () => {
    const body = "x".repeat(60_000);
    for (let count = 0; count < 20; count += 1) {
      const answer = await client.send(callOf("ListAuthorizations", "nobody"), body);
      expect(answer.status).toBe(401);
    }
    expect((await client.call("ListAuthorizations", root)).status).toBe(200);
  });

  test.each(["100-continue", "anything"])("the expectation %s is met or ignored", async (expect_) => {
    const answer = await client.call("ListAuthorizations", root, {}, { expect: expect_ });
    expect(answer.status).toBe(200);
  });
});

describe("A preface", () => {
  test("may arrive byte by byte", async () => {
    const connection = openRaw(server.url);
    let received = Buffer.alloc(0);
    connection.socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
    });
    connection.socket.setNoDelay();
    for (const byte of Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0", "latin1"))
      await new Promise<void>((sent) => connection.socket.write(Buffer.of(byte), () => setImmediate(sent)));
    // The server's settings are a frame of type 4 on stream 0.
    await expect.poll(() => received.subarray(3, 9).toString("hex")).toBe("040000000000");
    connection.close();
  });

  test("that turns into another request is answered as HTTP/1.1", async () => {
    const connection = openRaw(server.url);
    connection.send("P");
    await new Promise((soon) => setImmediate(soon));
    connection.send(request("OST /nowhere HTTP/1.1", { host: "x", "content-length": "0" }));
    const [answer] = await connection.answers(1);
    expectError(answer as Answer, 404, "unimplemented", "nothing is served at /nowhere");
    connection.close();
  });
});
