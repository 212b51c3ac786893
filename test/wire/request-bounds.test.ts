import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../support/connect-errors.ts";
import { type Answer, startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await startTestServer({ smallWorld: true });
  token = await server.database.token("root");
});
afterAll(() => server.stop());

const service = "authorization.v2.AuthorizationService";
const binary = { "content-type": "application/proto" };
const ids = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`);

function send(path: string, body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Answer> {
  return server.callService(path, body, { token, headers });
}

/** Nearly as many bytes as a body may have, from a few thousand. */
function zipped(path: string, body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Answer> {
  const bytes = gzipSync(body);
  expect(bytes.length).toBeLessThan(20_000);
  return send(path, bytes, { ...headers, "content-encoding": "gzip" });
}

const violations = ({ body }: Answer) => body.details[0].debug.violations.map((each: any) => each.message);

describe("Too many elements in a field are invalid_argument for that field alone", () => {
  // What is behind them is no JSON: they are refused before anything is decoded.
  const cases: [path: string, body: string | Uint8Array, message: string][] = [
    [
      `${service}/ListAuthorizations`,
      `{"filters":[${"{},".repeat(1_300_000)}no JSON`,
      "filters: must have at most 50 items",
    ],
    [
      `${service}/ListAuthorizations`,
      Buffer.alloc(4_194_304, Buffer.from([0x1a, 0])),
      "filters: must have at most 50 items",
    ],
    [
      `${service}/BatchSetState`,
      Buffer.alloc(4_194_304, Buffer.from([0x12, 0])),
      "items: must have at most 1000 items",
    ],
    [
      `${service}/UpdateAuthorization`,
      `{"roleKeys":[${'"",'.repeat(1_300_000)}no JSON`,
      "roleKeys: must have at most 1000 items",
    ],
    [
      "directory.v1.DirectoryService/ApplyChanges",
      Buffer.alloc(4_194_304, Buffer.from([0x0a, 0])),
      "changes: must have at most 1000 items",
    ],
    [
      "directory.v1.DirectoryService/ListUsers",
      Buffer.alloc(4_194_304, Buffer.from([0x12, 0])),
      "filters: must have at most 50 items",
    ],
  ];

  test.each(cases)("%s refuses a list that is too long, unread", async (path, body, message) => {
    const answer = await zipped(path, body, typeof body === "string" ? {} : binary);
    expectError(answer, 400, "invalid_argument", message);
    expect(answer.body.message).toBe(message);
    expect(violations(answer)).toHaveLength(1);
  });

  test("50 filters of 1,000 ids are not too many", async () => {
    const filters = Array.from({ length: 50 }, () => ({ inUserIds: { ids: ids(1_000) } }));
    expect((await server.call("ListAuthorizations", { filters }, { token })).status).toBe(200);
  });
});

describe("A request has 100,000 fields and list items at most", () => {
  const message = "the request must have at most 100000 fields and list items";

  test.each([
    [
      "within their bounds in each list",
      JSON.stringify({ items: Array.from({ length: 101 }, () => ({ id: "a", roleKeys: ids(1_000) })) }),
      {},
    ],
    ["of fields that are not known", `{${'"a":0,'.repeat(600_000)}"a":0}`, {}],
    ["of fields that are not known, in binary", Buffer.alloc(3_000_000, Buffer.from([0xf8, 0x7f, 0])), binary],
    ["of one field again and again", Buffer.alloc(3_000_000, Buffer.from([0x10, 0])), binary],
    ["of arrays in arrays", "[".repeat(3_000_000), {}],
  ])("%s are too many", async (_, body, headers) => {
    const answer = await send(`${service}/BatchUpdateAuthorizations`, gzipSync(body), {
      ...headers,
      "content-encoding": "gzip",
    });
    expectError(answer, 400, "invalid_argument", message);
    expect(violations(answer)).toEqual([message]);
  });
});

test("A number of thousands of digits is refused unread", async () => {
  const answer = await zipped(`${service}/ListAuthorizations`, `{"pagination":{"offset":"${"9".repeat(4_000_000)}"}}`);
  expectError(answer, 400, "invalid_argument");
  expect(answer.body.message).toBe("pagination.offset: must be at most 100 characters");
});

test("A text of megabytes is refused unread", async () => {
  const answer = await zipped(
    `${service}/ListAuthorizations`,
    `{"pagination":{"pageToken":"${"9".repeat(4_000_000)}"}}`,
  );
  expectError(answer, 400, "invalid_argument");
  expect(answer.body.message).toBe("pagination.pageToken: must be at most 131072 bytes in JSON");
});

describe("A body is as long as the fields of its RPC can be", () => {
  const long = (length: number) => `{}${" ".repeat(length - 2)}`;

  test.each([
    ["authorization.v2.CallerService/GetCaller", 4_100],
    ["identity.v1.TokenService/RevokeToken", 20_940],
    ["identity.v1.TokenService/CreateToken", 25_992],
    ["identity.v1.TokenService/ListTokens", 206_472],
    [`${service}/DeleteAuthorization`, 21_180],
    [`${service}/ActivateAuthorization`, 21_180],
    [`${service}/ListAuthorizations`, 4_194_304],
    [`${service}/CreateAuthorization`, 4_194_304],
  ])("%s: %i bytes", async (path, most) => {
    for (const [length, isTooLong] of [
      [most, false],
      [most + 1, true],
    ] as const) {
      for (const answer of [
        await send(path, long(length)),
        await send(path, gzipSync(long(length)), { "content-encoding": "gzip" }),
      ]) {
        if (isTooLong)
          expectError(
            answer,
            429,
            "resource_exhausted",
            new RegExp(`at most ${most} bytes|readMaxBytes ${most} after decompression$`),
          );
        else expect(answer.body.code).not.toBe("resource_exhausted");
      }
    }
  });

  test("with every character of an id escaped", async () => {
    const escaped = "\\ud83d\\ude00".repeat(200);
    const answer = await send(`${service}/DeleteAuthorization`, `{\n  "id": "${escaped}"\n}`);
    expectError(answer, 404, "not_found");
  });
});
