import { fromBinary, fromJson, toBinary, toJson } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import {
  ListAuthorizationsRequestSchema,
  ListAuthorizationsResponseSchema,
} from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { post } from "../support/call-headers.ts";
import { expectError } from "../support/connect-errors.ts";
import { serveSmallWorld } from "../support/server.ts";

const { server, root: token } = await serveSmallWorld();

/** Sends bytes as application/proto. A success comes back as bytes, a failure as an answer. */
async function send(rpc: string, bytes: Uint8Array<ArrayBuffer>) {
  const response = await post(server.url, token, rpc, bytes, { contentType: "application/proto" });
  const received = new Uint8Array(await response.arrayBuffer());
  const failed = response.headers.get("content-type") === "application/json";
  return {
    status: response.status,
    headers: response.headers,
    bytes: received,
    body: failed ? JSON.parse(new TextDecoder().decode(received)) : undefined,
  };
}

const list = (...bytes: number[]) => send("ListAuthorizations", new Uint8Array(bytes));

test("zero bytes are the empty message, and the answer says in binary what it says in JSON", async () => {
  const inBinary = await list();
  expect([inBinary.status, inBinary.headers.get("content-type")]).toEqual([200, "application/proto"]);
  const inJson = await server.call("ListAuthorizations", {}, { token });
  const message = fromBinary(ListAuthorizationsResponseSchema, inBinary.bytes);
  expect(toJson(ListAuthorizationsResponseSchema, message, { alwaysEmitImplicit: true })).toEqual(inJson.body);
});

test("the counts have the numbers 1 and 2 and are varints, as a client that knows them as uint64 reads them", async () => {
  const { bytes } = await list(
    ...toBinary(
      ListAuthorizationsRequestSchema,
      fromJson(ListAuthorizationsRequestSchema, { filters: [{ userId: { id: "nobody" } }] }),
    ),
  );
  // The page is empty, so there is no other field: 1 pagination {2 appliedLimit: 100}.
  expect([...bytes]).toEqual([0x0a, 0x02, 0x10, 100]);
});

test("fields that this service does not know are ignored in binary", async () => {
  // 127: 1
  expect((await list(0xf8, 0x07, 0x01)).status).toBe(200);
});

describe("Malformed protobuf is invalid_argument", () => {
  test.each([
    ["a field without a value", [0x0a]],
    ["a wire type that does not exist", [0x0f]],
    ["groups without an end", Array<number>(100_000).fill(0x0b)],
    ["a filter that is cut off", [0x1a, 0x03, 0xaa, 0x06, 0x05]],
  ])("%s", async (_, bytes) => {
    expectError(await list(...bytes), 400, "invalid_argument", /^parse binary: /);
  });

  test("an unknown number of an enum", async () => {
    expectError(await list(0x10, 99), 400, "invalid_argument", /^sortingColumn: /);
  });
});

describe("A text that can't be stored is invalid_argument in binary, too", () => {
  test.each([
    ["a NUL character", "a\0bc", /^id: must not contain a NUL character or a lone surrogate$/],
    ["an encoded surrogate", [0x61, 0xed, 0xa0, 0x80], /utf-8/],
    ["broken UTF-8", [0xff, 0xfe, 0xfd, 0xfc], /utf-8/],
  ])("%s", async (_, text, message) => {
    const answer = await send("DeleteAuthorization", new Uint8Array([0x0a, 4, ...Buffer.from(text as string)]));
    expectError(answer, 400, "invalid_argument", message);
  });
});
