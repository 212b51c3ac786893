import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { callHeaders, pathOf } from "../support/call-headers.ts";
import { expectError } from "../support/connect-errors.ts";
import { request, sendRaw } from "../support/raw-http.ts";
import { serveSmallWorld } from "../support/server.ts";

const { server, root: token } = await serveSmallWorld({ limits: { maximumRequestBytes: 10_000 } });

const send = (body: string | Uint8Array, encoding?: string) =>
  server.call("ListAuthorizations", body, { token, headers: { "content-encoding": encoding } });

test("A body that is too large in chunks without a length is answered before the end has come", async () => {
  const headers = { host: "x", ...callHeaders(token), "transfer-encoding": "chunked" };
  const line = `POST ${pathOf("ListAuthorizations")} HTTP/1.1`;
  const begun = request(line, headers, `fa0\r\n${" ".repeat(4_000)}\r\n`.repeat(3));
  expectError(await sendRaw(server.url, begun), 429, "resource_exhausted");
});

describe("Compression", () => {
  const text = JSON.stringify({ filters: [{ authorizationIds: { ids: ["a1"] } }] });

  test("an unknown one is unimplemented, naming those that are served", async () => {
    for (const encoding of ["br", "zstd", "deflate", "gzip, gzip"]) {
      expectError(await send(text, encoding), 501, "unimplemented", /supported encodings are gzip$/);
    }
  });

  test.each([
    ["gzip that is none", Buffer.from(text)],
    ["gzip that is cut off in the middle", gzipSync(text).subarray(0, 30)],
  ])("%s is invalid_argument", async (_, body) => {
    expectError(await send(body, "gzip"), 400, "invalid_argument", "decompression failed");
  });

  test("answers are compressed for those who accept it, errors stay readable", async () => {
    const call = (body: object) =>
      server.call("ListAuthorizations", body, { token, headers: { "accept-encoding": "gzip" } });
    const page = await call({});
    expect([page.headers.get("content-encoding"), page.body.authorizations.length]).toEqual(["gzip", 6]);
    // Its message is long enough to be worth compressing.
    const long = await call({ filters: [{ userId: { id: [] } }], pagination: { limit: "x".repeat(3_000) } });
    expectError(long, 400, "invalid_argument");
    const many = await call({ filters: Array.from({ length: 40 }, () => ({ userId: { id: "\0" } })) });
    expectError(many, 400, "invalid_argument");
    expect(many.body.details[0].debug.violations).toHaveLength(40);
  });
});
