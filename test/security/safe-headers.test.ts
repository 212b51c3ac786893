import { expect, test } from "vitest";
import { callText, openRaw, type RawAnswer, request, sendRaw } from "../support/raw-http.ts";
import { serverInTest, serveSmallWorld } from "../support/server.ts";

const { server, root: token } = await serveSmallWorld({
  corsOrigins: ["https://shop.example"],
  limits: { maximumRequestBytes: 5_000 },
});

const list = "/service.authorization.v2.AuthorizationService/ListAuthorizations";

const post = (body: string, headers: Record<string, string> = {}) => callText(token, { body, headers });

const preflight = { host: "x", origin: "https://shop.example", "access-control-request-method": "POST" };

/** Every kind of answer there is, and its status. */
const answers: [what: string, status: number, bytes: () => string | Buffer][] = [
  ["a list", 200, () => post("{}")],
  ["a refusal by an RPC", 404, () => post('{"id":"nope"}').replace("ListAuthorizations", "DeleteAuthorization")],
  ["a broken rule", 400, () => post('{"filters":[{}]}')],
  ["a body that is no JSON", 400, () => post("{")],
  ["no credentials", 401, () => post("{}", { authorization: "" })],
  ["too large a body", 429, () => post(" ".repeat(6_000))],
  ["an unknown compression", 501, () => post("{}", { "content-encoding": "zstd" })],
  ["a deadline that has passed", 504, () => post("{}", { "connect-timeout-ms": "0" })],
  ["an unknown path", 404, () => request("GET /nope HTTP/1.1", { host: "x" })],
  ["a path whose encoding is broken", 404, () => request("GET /%zz HTTP/1.1", { host: "x" })],
  ["a wrong method", 405, () => request(`GET ${list} HTTP/1.1`, { host: "x" })],
  ["a wrong content type", 415, () => post("{}", { "content-type": "text/plain" })],
  ["a missing host", 400, () => request(`POST ${list} HTTP/1.1`, { "content-length": "0" })],
  ["a preflight", 204, () => request(`OPTIONS ${list} HTTP/1.1`, preflight)],
  ["OPTIONS that is no preflight", 405, () => request(`OPTIONS ${list} HTTP/1.1`, { host: "x" })],
  ["/healthz", 200, () => request("GET /healthz HTTP/1.1", { host: "x" })],
  ["/readyz", 200, () => request("GET /readyz HTTP/1.1", { host: "x" })],
  ["CONNECT", 405, () => request("CONNECT x:1 HTTP/1.1", { host: "x" })],
  ["what is no HTTP", 400, () => "hello\r\n\r\n"],
  ["headers that are too large", 431, () => request("GET / HTTP/1.1", { host: "x", long: "a".repeat(20_000) })],
];

test.each(answers)("%s is answered with nosniff and no-store", async (_what, status, bytes) => {
  expectSafe(await sendRaw(server.url, bytes()), status);
});

test("an unexpected failure is answered with nosniff and no-store", async () => {
  await server.database.query("alter table users rename column display_name to gone");
  const answer = await sendRaw(server.url, post("{}"));
  await server.database.query("alter table users rename column gone to display_name");
  expectSafe(answer, 500);
});

test("a refusal because of overload is answered with nosniff and no-store", async () => {
  const small = await serverInTest({ database: server.database, limits: { maximumInFlight: 1 } });
  const occupying = openRaw(small.url);
  occupying.send(post(" ", { "content-length": "2" }));
  await expect.poll(async () => (await sendRaw(small.url, post("{}"))).status).toBe(503);
  expectSafe(await sendRaw(small.url, post("{}")), 503);
  occupying.close();
});

test("a broken chunk in the middle of a call is answered with nosniff and no-store", async () => {
  const broken = post("zz\r\n{}\r\n").replace(/content-length: \d+/, "transfer-encoding: chunked");
  expectSafe(await sendRaw(server.url, broken), 400);
});

function expectSafe({ status, headers }: RawAnswer, expected: number): void {
  const found = [status, headers.get("x-content-type-options"), headers.get("cache-control")];
  expect(found).toEqual([expected, "nosniff", "no-store"]);
}
