import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from "node:http2";
import { create, toBinary } from "@bufbuild/protobuf";
import { ViolationsSchema } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { Code, type ConnectError } from "@connectrpc/connect";
import { findTrailerError } from "@connectrpc/connect/protocol-grpc";
import { describe, expect, onTestFinished, test } from "vitest";
import { ErrorInfoSchema } from "../../gen/google/rpc/error_details_pb.ts";
import { ApplyChangesRequestSchema } from "../../gen/service/directory/v1/directory_service_pb.ts";
import { frame } from "../support/frames.ts";
import { block, flags, four, frame as http2Frame, openFrames } from "../support/http2-frames.ts";
import { hold } from "../support/locks.ts";
import { detailOf } from "../support/protocols.ts";
import { serveTests } from "../support/server.ts";
import { until } from "../support/until.ts";

const server = await serveTests({ smallWorld: true, limits: { maximumInFlight: 4, maximumRequestBytes: 1_000_000 } });
const [token, annsToken] = await Promise.all([server.database.token("root"), server.database.token("ann")]);

function openSession(maxHeaderListSize?: number): ClientHttp2Session {
  const session = connect(server.url, maxHeaderListSize === undefined ? {} : { settings: { maxHeaderListSize } });
  onTestFinished(() => session.destroy());
  return session;
}

function call(session: ClientHttp2Session, rpc: string, headers: Record<string, string> = {}): ClientHttp2Stream {
  const stream = session.request({
    ":method": "POST",
    ":path": `/service.authorization.v2.AuthorizationService/${rpc}`,
    "content-type": "application/grpc+json",
    authorization: `Bearer ${token}`,
    ...headers,
  });
  return stream.on("error", () => {});
}

/** Sends a call without the end of its body. Node's own client would end the body before it resets the stream. */
function begin(id: string, its: string, headers: Record<string, string>, body: Buffer) {
  const connection = openFrames(server.url);
  onTestFinished(() => connection.close());
  const all = {
    ":method": "POST",
    ":scheme": "http",
    ":path": "/service.authorization.v2.AuthorizationService/ListAuthorizations",
    ":authority": "x",
    authorization: `Bearer ${its}`,
    "x-request-id": id,
    ...headers,
  };
  connection.send(
    http2Frame("headers", flags.endHeaders, 1, block(Object.entries(all))),
    http2Frame("data", 0, 1, body),
  );
  return { reset: () => connection.send(http2Frame("reset", 0, 1, four(constants.NGHTTP2_CANCEL))) };
}

/** Begins calls, and waits until the server reads their bodies: then, a call that comes after them is answered. */
async function untilRead<T>(...begins: ((token: string) => T)[]): Promise<T[]> {
  // The server must not remember whose these are.
  const tokens = await Promise.all(begins.map(() => server.database.token("root")));
  const lock = await hold(server.database, "lock table tokens in access exclusive mode");
  const begun = begins.map((beginOne, index) => beginOne(tokens[index] ?? ""));
  await lock.untilWaiting(begins.length);
  await lock.rollback();
  const next = call(openSession(), "ListAuthorizations", { authorization: `Bearer ${annsToken}` });
  next.end(frame("{}"));
  expect(await statusOf(next)).toBe(0);
  return begun;
}

async function trailersOf(stream: ClientHttp2Stream): Promise<Headers> {
  const [trailers] = await once(stream.resume(), "trailers");
  return new Headers(Object.entries(trailers as Record<string, string>));
}

const statusOf = async (stream: ClientHttp2Stream) => Number((await trailersOf(stream)).get("grpc-status"));

const lines = (id: string) => server.log.filter(({ requestId, msg }) => requestId === id && msg === "answered");

describe("A body in gRPC that does not arrive", () => {
  test("is waited for until the time has passed, and the stream is closed", async () => {
    const stream = call(openSession(), "ListAuthorizations", { "grpc-timeout": "200m" });
    stream.write(frame("{}").subarray(0, 6));
    expect(await statusOf(stream)).toBe(Code.DeadlineExceeded);
    await until("its end", () => stream.closed);
    expect(stream.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
  });

  test("holds no share any more after that, nor after the client has reset the stream", async () => {
    const session = openSession();
    for (let time = 0; time < 3; time += 1) {
      const late = [1, 2].map(() => call(session, "ListAuthorizations", { "grpc-timeout": "300m" }));
      for (const stream of late) stream.write(frame("{}").subarray(0, 6));
      expect(await Promise.all(late.map(statusOf))).toEqual([Code.DeadlineExceeded, Code.DeadlineExceeded]);
      const ids = [`left-${time}`, `other-${time}`];
      const json = { "content-type": "application/grpc+json" };
      const left = await untilRead(
        ...ids.map((id) => (its: string) => begin(id, its, json, frame("{}").subarray(0, 6))),
      );
      const third = call(session, "ListAuthorizations");
      third.end(frame("{}"));
      expect(await statusOf(third)).toBe(Code.ResourceExhausted);
      for (const { reset } of left) reset();
      await until("their lines", () => ids.every((id) => lines(id).length === 1));
      expect(ids.flatMap(lines)).toMatchObject([1, 2].map(() => ({ code: "canceled", protocol: "grpc" })));
    }
    const next = call(session, "ListAuthorizations");
    next.end(frame("{}"));
    expect(await statusOf(next)).toBe(0);
  });

  test("is not waited for when the credentials are not accepted, or the message is too long", async () => {
    const session = openSession();
    const unknown = call(session, "ListAuthorizations", { authorization: "Bearer unknown" });
    unknown.write(frame("{}").subarray(0, 6));
    expect(await statusOf(unknown)).toBe(Code.Unauthenticated);
    const long = call(session, "ListAuthorizations");
    long.write(frame("", { length: 1_000_001 }));
    expect(await statusOf(long)).toBe(Code.ResourceExhausted);
    await until("their end", () => unknown.closed && long.closed);
  });
});

test("A stream that is reset while it is found out who asks is not answered as if its body were empty", async () => {
  const lock = await hold(server.database, "lock table tokens in access exclusive mode");
  const session = openSession();
  const stream = call(session, "ListAuthorizations", { "content-type": "application/proto", "x-request-id": "reset" });
  await lock.untilWaiting(1);
  stream.close(constants.NGHTTP2_CANCEL);
  await until("its line", () => lines("reset").length > 0);
  await lock.rollback();
  expect(lines("reset")).toMatchObject([{ code: "canceled" }]);
});

test("A body that is cut off by a reset is not taken for a whole one", async () => {
  const changes = ["first", "other"].map((id) => ({
    change: { case: "organization" as const, value: { id, name: id } },
  }));
  const whole = toBinary(ApplyChangesRequestSchema, create(ApplyChangesRequestSchema, { changes }));
  const headers = {
    ":path": "/service.directory.v1.DirectoryService/ApplyChanges",
    "content-type": "application/proto",
    "connect-protocol-version": "1",
  };
  // The first of the two changes is all there.
  const first = Buffer.from(whole.subarray(0, whole.length / 2));
  const [cutOff] = await untilRead((its) => begin("cut-off", its, headers, first));
  cutOff?.reset();
  await until("its line", () => lines("cut-off").length > 0);
  expect(lines("cut-off")).toMatchObject([{ code: "canceled" }]);
  expect(await server.database.query("select id from organizations where id = 'first'")).toEqual([]);
});

describe("The trailers of an error over gRPC are at most 6,500 bytes, because many clients refuse more,", () => {
  const sizeOf = (trailers: Headers) =>
    [...trailers].reduce((sum, [name, value]) => sum + 32 + name.length + value.length, 0);

  async function refused(accepted: number | undefined, rpc: string, request: string) {
    const stream = call(openSession(accepted), rpc);
    stream.end(frame(request));
    const trailers = await trailersOf(stream);
    expect(sizeOf(trailers)).toBeLessThanOrEqual(6_500);
    const error = findTrailerError(trailers);
    if (error === undefined) throw new Error("the call succeeded");
    return error;
  }

  const broken = (count: number) =>
    JSON.stringify({ filters: Array.from({ length: count }, () => ({ userId: { id: "x".repeat(201) } })) });
  const violationsOf = (error: ConnectError) => error.findDetails(ViolationsSchema).flatMap((each) => each.violations);

  test.each([undefined, 16_384, 8_192])(
    "whatever size the client accepts (%j): as many violations are named",
    async (accepted) => {
      const error = await refused(accepted, "ListAuthorizations", broken(50));
      expect(error.code).toBe(Code.InvalidArgument);
      expect(error.rawMessage).toMatch(/^filters\[0\]\.userId\.id: must be at most 200 characters, got 201; /);
      expect(violationsOf(error).length).toBeGreaterThanOrEqual(8);
      expect(violationsOf(error).length).toBeLessThan(50);
    },
  );

  test("and all violations are named where they fit", async () => {
    expect(violationsOf(await refused(undefined, "ListAuthorizations", broken(8)))).toHaveLength(8);
  });

  test("and a reason stays, even if its metadata is too long", async () => {
    const roleKeys = Array.from({ length: 1_000 }, (_, index) => `${index}${"k".repeat(190)}`);
    const error = await refused(undefined, "UpdateAuthorization", JSON.stringify({ id: "a1", roleKeys }));
    expect(detailOf(error, ErrorInfoSchema)).toMatchObject({ reason: "ROLE_NOT_FOUND", metadata: {} });
  });
});
