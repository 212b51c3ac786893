import { fromBinary, fromJson, type JsonValue, toBinary, toJson } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  AuthorizationService,
  ListAuthorizationsRequestSchema,
  ListAuthorizationsResponseSchema,
} from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { callHeaders } from "../support/call-headers.ts";
import { expectError } from "../support/connect-errors.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { textPlaces } from "../support/string-fields.ts";

let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await startTestServer({ smallWorld: true });
  token = await server.database.token("root");
});
afterAll(() => server.stop());

/** Sends bytes as application/proto. A success comes back as bytes, a failure as an answer. */
async function send(rpc: string, bytes: Uint8Array<ArrayBuffer>) {
  const response = await fetch(`${server.url}/service.authorization.v2.AuthorizationService/${rpc}`, {
    method: "POST",
    headers: callHeaders(token, "application/proto"),
    body: bytes,
  });
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
    ["a length beyond the end", [0x1a, 0x05, 0x01]],
    ["a length far beyond the end", [0x1a, 0xff, 0xff, 0xff, 0xff, 0x07]],
    ["field number 0", [0x00, 0x00]],
    ["a wire type that does not exist", [0x0f]],
    ["a wire type that the field does not have", [0x08, 0x01]],
    ["a number without an end", Array<number>(20).fill(0xff)],
    ["the end of a group that did not begin", [0x0c]],
    ["groups without an end", Array<number>(100_000).fill(0x0b)],
    ["JSON", [...Buffer.from("{}")]],
    ["a filter that is cut off", [0x1a, 0x03, 0xaa, 0x06, 0x05]],
  ])("%s", async (_, bytes) => {
    expectError(await list(...bytes), 400, "invalid_argument", /^parse binary: /);
  });

  test("an unknown number of an enum", async () => {
    expectError(await list(0x10, 99), 400, "invalid_argument", /^sortingColumn: /);
  });
});

describe("Texts that cannot be kept are invalid_argument wherever they are", () => {
  const methods = new Map(AuthorizationService.methods.map((method) => [method.name, method]));
  const mark = "MARK";

  /** The request in binary with the four bytes of the mark replaced. */
  function encode(rpc: string, request: object, bytes: number[]): Uint8Array<ArrayBuffer> {
    const schema = methods.get(rpc)?.input;
    if (schema === undefined) throw new Error(`no RPC ${rpc}`);
    const encoded = Buffer.from(toBinary(schema, fromJson(schema, request as JsonValue)));
    const at = encoded.indexOf(mark);
    encoded.set(bytes, at);
    return new Uint8Array(encoded);
  }

  test.each(textPlaces)("$rpc $field", async ({ rpc, field, request }) => {
    const nul = await send(rpc, encode(rpc, request(mark), [...Buffer.from("a\0bc")]));
    expectError(nul, 400, "invalid_argument", `${field}: must not contain a NUL character or a lone surrogate`);
    for (const bytes of [
      [0xff, 0xfe, 0xfd, 0xfc],
      [0x61, 0xed, 0xa0, 0x80],
      [0x61, 0x62, 0xe2, 0x82],
      [0xc0, 0x80, 0x61, 0x61],
    ]) {
      expectError(await send(rpc, encode(rpc, request(mark), bytes)), 400, "invalid_argument", /utf-8/);
    }
  });
});
