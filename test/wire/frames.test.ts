import { gzipSync } from "node:zlib";
import { toBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { describe, expect, test } from "vitest";
import { ListAuthorizationsRequestSchema } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { type Ended, frame, messageOf, sendGrpc, sendGrpcWeb } from "../support/frames.ts";
import { serveSmallWorld } from "../support/server.ts";

const most = 10_000;
const list = "/service.authorization.v2.AuthorizationService/ListAuthorizations";
const { server, root: token } = await serveSmallWorld({ limits: { maximumRequestBytes: most } });

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
