import { afterAll, describe, expect, test } from "vitest";
import { expectError } from "../support/connect-errors.ts";
import { callOf, openHttp2 } from "../support/http2.ts";
import { openRaw, request } from "../support/raw-http.ts";
import { type Answer, serveSmallWorld } from "../support/server.ts";

const { server, root } = await serveSmallWorld();
const client = openHttp2(server.url);
afterAll(() => client.close());

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

  test("health checks and documents are served", async () => {
    expect(await client.get("/healthz")).toMatchObject({ status: 200, body: { status: "alive" } });
    expect(await client.get("/readyz")).toMatchObject({ status: 200, body: { status: "ready" } });
    expect(await client.get("/openapi.json")).toMatchObject({ status: 200, body: { openapi: "3.1.1" } });
  });

  const types = /^the content type must be one of /;
  const malformed = "the Host header is missing or malformed";
  const unequal = "the Host header must equal :authority";
  test.each([
    ["a path that is not served", { ":path": "/nowhere" }, 404, "unimplemented", "nothing is served at /nowhere"],
    ["a path of the router's", { ":path": "//" }, 404, "unimplemented", "nothing is served at //"],
    ["a wrong method", { ":method": "PUT" }, 405, "unimplemented", "PUT is not supported here: use POST"],
    ["another content type", { "content-type": "text/plain" }, 415, "unimplemented", types],
    ["no token", { authorization: "" }, 401, "unauthenticated", /./],
    ["a malformed authority", { ":authority": "a:99999" }, 400, "invalid_argument", malformed],
    ["another Host than the authority", { ":authority": "a", host: "b" }, 400, "invalid_argument", unequal],
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
});

test("A preface that turns into another request is answered as HTTP/1.1", async () => {
  const connection = openRaw(server.url);
  connection.send("P");
  await new Promise((soon) => setImmediate(soon));
  connection.send(request("OST /nowhere HTTP/1.1", { host: "x", "content-length": "0" }));
  const [answer] = await connection.answers(1);
  expectError(answer as Answer, 404, "unimplemented", "nothing is served at /nowhere");
  connection.close();
});
