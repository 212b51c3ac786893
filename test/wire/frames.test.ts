import { gzipSync } from "node:zlib";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  ListAuthorizationsRequestSchema,
  ListAuthorizationsResponseSchema,
} from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { type Ended, frame, messageOf, sendGrpc, sendGrpcWeb } from "../support/frames.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const most = 10_000;
const list = "/service.authorization.v2.AuthorizationService/ListAuthorizations";
let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await startTestServer({ smallWorld: true, limits: { maximumRequestBytes: most } });
  token = await server.database.token("root");
});
afterAll(() => server.stop());

const senders = [
  ["gRPC-Web over HTTP/1.1", "application/grpc-web", sendGrpcWeb],
  ["gRPC over HTTP/2", "application/grpc", sendGrpc],
] as const;

const empty = frame("");
const request = toBinary(ListAuthorizationsRequestSchema, {
  $typeName: "service.authorization.v2.ListAuthorizationsRequest",
  pagination: { $typeName: "service.filter.v2.PaginationRequest", offset: 0n, limit: 2, asc: false, pageToken: "" },
  sortingColumn: 0,
  filters: [],
} as never);

describe.each(senders)("%s", (_name, type, send) => {
  const call = (body: Uint8Array, headers: Record<string, string> = {}) =>
    send(server.url, list, { headers: { authorization: `Bearer ${token}`, "content-type": type, ...headers }, body });

  function expectEnded(ended: Ended, code: Code | 0, message: string | RegExp = ""): void {
    expect([ended.httpStatus, ended.contentType, ended.trailers.get("grpc-status")]).toEqual([
      200,
      expect.stringMatching(new RegExp(`^${type}\\+(proto|json)$`)),
      String(code),
    ]);
    expect(messageOf(ended)).toMatch(message);
    expect(ended.messages).toHaveLength(code === 0 ? 1 : 0);
  }

  test("the frame of a message is read, with or without its compression", async () => {
    for (const [body, headers] of [
      [frame(request), {}],
      [frame(gzipSync(request), { flags: 1 }), { "grpc-encoding": "gzip" }],
      [frame(request), { "grpc-encoding": "gzip" }],
      [frame(request), { "grpc-encoding": "identity" }],
    ] as const) {
      const ended = await call(body, headers);
      expectEnded(ended, 0);
      const [message] = ended.messages;
      expect(fromBinary(ListAuthorizationsResponseSchema, message ?? empty).pagination?.totalResult).toBe(6);
    }
    expectEnded(await call(empty), 0);
  });

  test("JSON is read by the content type", async () => {
    const ended = await call(frame('{"pagination":{"limit":1}}'), { "content-type": `${type}+json` });
    expectEnded(ended, 0);
    expect(ended.contentType).toBe(`${type}+json`);
    expect(JSON.parse(String(ended.messages[0]))).toMatchObject({ pagination: { totalResult: 6, appliedLimit: 1 } });
  });

  test.each([
    ["no message", Buffer.alloc(0), "missing input message"],
    ["two messages", Buffer.concat([empty, empty]), "received extra input message"],
    ["a message and far too much", Buffer.concat([empty, Buffer.alloc(20_000)]), "received extra input message"],
  ])("%s is unimplemented, as gRPC prescribes", async (_what, body, message) => {
    expectEnded(await call(body), Code.Unimplemented, `protocol error: ${message} for unary method`);
  });

  test.each([
    ["a head that is cut off", empty.subarray(0, 4), "incomplete envelope"],
    ["a message that is cut off", frame(request).subarray(0, -1), "incomplete envelope"],
    ["something behind the message", Buffer.concat([empty, Buffer.from("x")]), "incomplete envelope"],
    ["a message that is no protobuf", frame("\x08"), "parse binary"],
    ["a message with broken UTF-8", frame(Buffer.from([0x1a, 5, 0x62, 3, 0x0a, 1, 0xff])), ""],
  ])("%s is invalid_argument", async (_what, body, message) => {
    expectEnded(await call(body), Code.InvalidArgument, message);
  });

  test("a head without its message is not taken for an empty message", async () => {
    expectEnded(await call(frame("", { length: 1 })), Code.Unimplemented, "missing input message");
  });

  test("a compressed message without an encoding is internal, as gRPC prescribes", async () => {
    for (const [data, flags] of [
      [gzipSync(request), 1],
      ["{}", 0b11],
    ] as const) {
      expectEnded(await call(frame(data, { flags })), Code.Internal, "compressed");
    }
  });

  test.each([
    ["none", Buffer.from("no gzip")],
    ["cut off", gzipSync(request).subarray(0, -2)],
  ])("gzip that is %s is invalid_argument", async (_what, data) => {
    const ended = await call(frame(data, { flags: 1 }), { "grpc-encoding": "gzip" });
    expectEnded(ended, Code.InvalidArgument, "decompression failed");
  });

  test("malformed JSON is invalid_argument, and any text in it can be repeated", async () => {
    const json = { "content-type": `${type}+json` };
    expectEnded(await call(frame('{"filters":1}'), json), Code.InvalidArgument, "filters");
    expectEnded(await call(frame('{"\\ud800":1}'), json), Code.InvalidArgument, "unknown");
    expectEnded(await call(frame(""), json), Code.InvalidArgument);
    // Nothing is read beyond the end of the bytes.
    for (const text of ['{"filter\\', '{"filters":[{"userId":{"id":"\\']) {
      expectEnded(await call(frame(text), json), Code.InvalidArgument);
    }
  });

  test("a message over the limit is resource_exhausted by its head alone, or after decompression", async () => {
    const tooLong = /^the request must be at most 10000 bytes, got 4294967295/;
    expectEnded(await call(frame("", { length: 0xffffffff })), Code.ResourceExhausted, tooLong);
    expectEnded(await call(frame(Buffer.alloc(most + 1))), Code.ResourceExhausted, /at most 10000 bytes, got 10001/);
    const bomb = frame(gzipSync(Buffer.alloc(5_000_000)), { flags: 1 });
    expectEnded(await call(bomb, { "grpc-encoding": "gzip" }), Code.ResourceExhausted, /after decompression/);
    // The size itself is read.
    const longest = Buffer.concat([Buffer.from([0xfa, 0x7f, 0x80 | (most & 0x7f), most >> 7]), Buffer.alloc(most)]);
    expectEnded(await call(frame(longest.subarray(0, most))), Code.InvalidArgument);
  });

  test("an unknown compression is unimplemented, and the answer names those that are read", async () => {
    const ended = await call(empty, { "grpc-encoding": "zstd" });
    expectEnded(ended, Code.Unimplemented, 'unknown compression "zstd": supported encodings are gzip');
  });

  test.each(["x", "", "1", "1s", "-1S", "1.5S", "123456789S", "1S, 2S"])("grpc-timeout %j is invalid", async (sent) => {
    const ended = await call(empty, { "grpc-timeout": sent });
    expectEnded(ended, Code.InvalidArgument, `protocol error: invalid grpc timeout value: ${sent}`);
  });

  test("each unit of grpc-timeout is understood", async () => {
    for (const sent of ["0H", "0M", "0S", "0m", "0u", "0n", "1n", "5u"]) {
      expectEnded(await call(empty, { "grpc-timeout": sent }), Code.DeadlineExceeded, "the operation timed out");
    }
    for (const sent of ["1H", "2M", "61S", "60001m"]) {
      expectEnded(await call(empty, { "grpc-timeout": sent }), Code.InvalidArgument, /must be <= 60000$/);
    }
    for (const sent of ["1M", "60S", "60000m", "60000000u"]) {
      expectEnded(await call(empty, { "grpc-timeout": sent }), 0);
    }
  });

  test("an unknown path and format are refused with the HTTP status and the JSON of Connect", async () => {
    const type415 = `${type}+thrift`;
    for (const [refused, httpStatus, message] of [
      [
        await send(server.url, "/some.Service/Method", { headers: { "content-type": type }, body: empty }),
        404,
        /^nothing/,
      ],
      [
        await call(empty, { "content-type": type415 }),
        415,
        new RegExp(`^the content type must be one of .*${type}\\+proto`),
      ],
    ] as const) {
      expect(refused).toMatchObject({ httpStatus, contentType: "application/json" });
      expect(refused.refusal).toEqual({ code: "unimplemented", message: expect.stringMatching(message) });
    }
  });
});

test("gRPC-Web may end a request with trailers", async () => {
  const trailers = frame("x: y\r\n", { flags: 0x80 });
  const headers = { authorization: `Bearer ${token}` };
  const ended = await sendGrpcWeb(server.url, list, { headers, body: Buffer.concat([frame(request), trailers]) });
  expect(ended.trailers.get("grpc-status")).toBe("0");
});
