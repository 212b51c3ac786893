import { afterEach, describe, expect, test } from "vitest";
import { callHeaders } from "../support/call-headers.ts";
import { expectError } from "../support/connect-errors.ts";
import { hold } from "../support/locks.ts";
import { openRaw, type RawAnswer, type RawConnection, request } from "../support/raw-http.ts";
import { scrape } from "../support/scrape.ts";
import { serveSmallWorld } from "../support/server.ts";

let connection: RawConnection;

const { server, root } = await serveSmallWorld({ corsOrigins: ["https://shop.example"], metrics: true });
afterEach(() => connection.close());

const list = "/service.authorization.v2.AuthorizationService/ListAuthorizations";
const applyChanges = "/service.directory.v1.DirectoryService/ApplyChanges";
const paths = [list, "/healthz", "/nope", "*"];

type Lines = Record<string, string>;

const called = (): Lines => ({ host: "x", ...callHeaders(root) });

/** A call in order; `more` goes behind its headers, line by line. */
function call(path: string, body: string, { version = " HTTP/1.1", more = "", headers = called() } = {}): string {
  const framed = /transfer-encoding/i.test(more) ? headers : { ...headers, "content-length": String(body.length) };
  return request(`POST ${path}${version}`, framed, `\0${body}`).replace("\r\n\r\n\0", `\r\n${more}\r\n`);
}

/** A change that can be seen to have been made. */
const change = (id: string) => call(applyChanges, JSON.stringify({ changes: [{ organization: { id, name: id } }] }));
const isMade = async (id: string) =>
  (await server.database.query("select id from organizations where id = $1", [id])).length > 0;

const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

/** Everything that comes until the server closes the connection. */
async function answersTo(bytes: string): Promise<RawAnswer[]> {
  connection = openRaw(server.url);
  connection.send(bytes);
  await connection.untilClosed();
  return connection.answers(0);
}

describe("A request that could be read in two ways is refused, whatever it asks for, and ends its connection:", () => {
  const other = "Bearer authz_other";
  const twice = "send only one Authorization header";
  const hosts = "send only one Host header";
  const version = "the request line must end in HTTP/1.1 or HTTP/1.0";
  const coding = "the transfer coding must be chunked, which needs HTTP/1.1";
  const requests: [what: string, message: string, bytes: (path: string) => string][] = [
    ["two Authorization headers", twice, (path) => call(path, "{}", { more: `Authorization: ${other}\r\n` })],
    ["the same one twice", twice, (path) => call(path, "{}", { more: `authorization: Bearer ${root}\r\n` })],
    ["an empty second one", twice, (path) => call(path, "{}", { more: "AUTHORIZATION:\r\n" })],
    [
      "an empty first one",
      twice,
      (path) => call(path, "{}", { headers: { ...called(), authorization: "" }, more: `authorization: ${other}\r\n` }),
    ],
    [
      "a second one behind 900 others",
      twice,
      (path) => call(path, "{}", { more: `${"a:\r\n".repeat(900)}authorization: ${other}\r\n` }),
    ],
    ["two Host headers", hosts, (path) => call(path, "{}", { more: "Host: y\r\n" })],
    ["no version", version, (path) => call(path, "{}", { version: "" })],
    ["no version and a connection to be kept", version, (path) => call(path, "{}", { version: "", more: keep })],
    ["HTTP/0.9", version, (path) => call(path, "{}", { version: " HTTP/0.9" })],
    [
      "chunks in HTTP/1.0",
      coding,
      (path) => call(path, chunked("{}"), { version: " HTTP/1.0", more: `transfer-encoding: chunked\r\n${keep}` }),
    ],
    ["a coding within chunks", coding, (path) => coded(path, "transfer-encoding: gzip, chunked\r\n")],
    [
      "a coding in a header of its own",
      coding,
      (path) => coded(path, "transfer-encoding: identity\r\ntransfer-encoding: chunked\r\n"),
    ],
  ];
  const keep = "connection: keep-alive\r\n";
  const coded = (path: string, more: string) => call(path, chunked("{}"), { more });

  describe.each(requests)("%s", (what, message, bytes) => {
    test.each(paths)("at %s", async (path) => {
      const answers = await answersTo(bytes(path));
      expect(answers.length).toBe(1);
      expectError(answers[0] as RawAnswer, 400, "invalid_argument", message);
      expect(answers[0]?.headers.get("connection")).toBe("close");
    });

    test("and what follows on its connection is not looked at", async () => {
      const id = what.replaceAll(/\W/g, "-");
      const answers = await answersTo(bytes(list) + change(id) + change(id));
      expect(answers.map(({ status }) => status)).toEqual([400]);
      expect(await isMade(id)).toBe(false);
    });
  });

  test("also a preflight, which nothing else would look at", async () => {
    const preflight = { host: "x", origin: "https://shop.example", "access-control-request-method": "POST" };
    const answers = await answersTo(request(`OPTIONS ${list} HTTP/1.1`, { ...preflight, HOST: "y" }));
    expect(answers.map(({ status }) => status)).toEqual([400]);
  });

  test("also CONNECT", async () => {
    for (const [bytes, message] of [
      ["CONNECT elsewhere.example:443\r\n\r\n", version],
      ["CONNECT elsewhere.example:443 HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n", hosts],
    ] as const) {
      const answers = await answersTo(bytes);
      expect(answers.length).toBe(1);
      expectError(answers[0] as RawAnswer, 400, "invalid_argument", message);
    }
  });

  test("and it is counted as refused", async () => {
    const series = 'authorization_refused_total{rpc="none",protocol="connect",code="invalid_argument",reason="none"}';
    const count = async () => (await scrape(server.metricsUrl)).values.get(series) ?? 0;
    const before = await count();
    await answersTo(call(list, "{}", { more: "host: y\r\n" }));
    expect(await count()).toBe(before + 1);
  });
});

describe("Where a body ends is never a matter of opinion:", () => {
  test.each([
    ["a length and chunks", "content-length: 2\r\ntransfer-encoding: chunked\r\n"],
    ["the same length twice", "content-length: 2\r\ncontent-length: 2\r\n"],
    ["a length with a space before its colon", "content-length : 2\r\n"],
    ["chunks that are not the last coding", "transfer-encoding: chunked, identity\r\n"],
    ["another coding", "transfer-encoding: identity\r\n"],
    ["chunks with a parameter", "transfer-encoding: chunked;x=y\r\n"],
    ["a coding behind a vertical tab", "transfer-encoding: \x0bchunked\r\n"],
    ["a header that ends in a line feed alone", "x: y\ncontent-length: 2\r\n"],
  ])("%s is refused, and what follows is not looked at", async (what, framing) => {
    const id = what.replaceAll(/\W/g, "-");
    const head = request(`POST ${list} HTTP/1.1`, called()).replace(/\r\n$/, `${framing}\r\n`);
    const answers = await answersTo(`${head}0\r\n\r\n${change(id)}`);
    expect(answers.length).toBe(1);
    expectError(
      answers[0] as RawAnswer,
      400,
      "invalid_argument",
      /^(malformed HTTP request|the transfer coding must be .*)$/,
    );
    expect(await isMade(id)).toBe(false);
  });

  test.each([
    ["a sign", "+2"],
    ["more digits than fit", "10000000000000002"],
    ["a line feed in its extension", "2;a\nb"],
  ])("a length of a chunk with %s is refused", async (what, size) => {
    const id = `chunk-${what.replaceAll(/\W/g, "-")}`;
    const head = call(list, "", { more: "transfer-encoding: chunked\r\n" });
    const answers = await answersTo(`${head}${size}\r\n{}\r\n0\r\n\r\n${change(id)}`);
    expect(answers.map(({ status }) => status)).toEqual([400]);
    expect(await isMade(id)).toBe(false);
  });

  test("HTTP/1.0 without a length has no body; what comes behind it is not looked at", async () => {
    const head = request(`POST ${list} HTTP/1.0`, called());
    const answers = await answersTo(head + change("behind-1-0"));
    // The answer to an empty text, which is no JSON.
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([[400, "invalid_argument"]]);
    expect(answers[0]?.body.message).not.toBe("malformed HTTP request");
    expect(await isMade("behind-1-0")).toBe(false);
  });
});

describe("What cannot be read never takes the place of an answer to what came before it:", () => {
  const garbage = "hello\r\n\r\n";

  test.each([
    ["words", garbage, 400],
    ["CONNECT", request("CONNECT elsewhere.example:443 HTTP/1.1", { host: "x" }), 405],
    ["two lengths", `POST ${list} HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 1\r\n\r\n{`, 400],
    ["two Host headers", "GET /healthz HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n", 400],
  ])("%s", async (_, bytes, status) => {
    const lock = await hold(server.database, "lock table authorizations in access exclusive mode");
    connection = openRaw(server.url);
    connection.send(call(list, "{}") + bytes);
    await lock.untilWaiting(1);
    await lock.rollback();
    await connection.untilClosed();
    const answers = await connection.answers(0);
    expect(answers.map((answer) => answer.status)).toEqual([200, status]);
    expect(answers[0]?.body.pagination.totalResult).toBe(6);
  });

  test("and what follows is not looked at meanwhile either", async () => {
    const lock = await hold(server.database, "select from authorizations where id = 'a2' for update");
    connection = openRaw(server.url);
    const ambiguous = "GET /healthz HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n";
    connection.send(
      call(list.replace(/\w+$/, "DeactivateAuthorization"), '{"id":"a2"}') + ambiguous + change("meanwhile"),
    );
    await lock.untilWaiting(1);
    // A change that was let in would be made before another one that comes later.
    const later = openRaw(server.url);
    later.send(change("later"));
    expect((await later.answers(1)).map(({ status }) => status)).toEqual([200]);
    later.close();
    expect(await isMade("meanwhile")).toBe(false);
    await lock.rollback();
    await connection.untilClosed();
    expect((await connection.answers(0)).map(({ status }) => status)).toEqual([200, 400]);
  });

  const opened = (headers: Lines) => call(list, "", { headers, more: "transfer-encoding: chunked\r\n" });

  test("a broken body gets no second answer when its request has one", async () => {
    connection = openRaw(server.url);
    connection.send(opened({ ...called(), authorization: "" }));
    await connection.answers(1);
    connection.send(`zz\r\n${change("behind-broken")}`);
    await connection.untilClosed();
    expect((await connection.answers(0)).map(({ status }) => status)).toEqual([401]);
    expect(await isMade("behind-broken")).toBe(false);
  });

  test("more of it gets no second answer, and does not keep the first from coming", async () => {
    connection = openRaw(server.url);
    connection.send(garbage);
    await connection.answers(1);
    for (let sent = 0; sent < 100; sent += 1) connection.send(garbage.repeat(100));
    await connection.untilClosed();
    expect((await connection.answers(0)).length).toBe(1);
  });
});
