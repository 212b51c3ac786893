import { type ClientHttp2Stream, connect } from "node:http2";
import { create, toBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { ServerReflectionRequestSchema } from "../../gen/grpc/reflection/v1/reflection_pb.ts";
import { frame } from "../support/frames.ts";
import { serveTests } from "../support/server.ts";
import { until } from "../support/until.ts";

// So that no deadline comes before.
const server = await serveTests({ limits: { defaultTimeoutMs: 600_000, maximumTimeoutMs: 600_000 } });

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const health = (method: string) => `grpc.health.v1.Health/${method}`;
const reflection = "grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
const question = frame(
  toBinary(
    ServerReflectionRequestSchema,
    create(ServerReflectionRequestSchema, { messageRequest: { case: "listServices", value: "" } }),
  ),
);

/** Begins a call, and waits until the server waits for what its client sends. */
async function begin(path: string, ms: number, body?: Buffer) {
  const session = connect(server.url);
  onTestFinished(() => session.destroy());
  // The wait for the first bytes of a connection lasts for 60 seconds, too.
  await new Promise<void>((resolve) => session.ping(() => resolve()));
  const timers = vi.spyOn(globalThis, "setTimeout");
  const stream = session.request({ ":method": "POST", ":path": `/${path}`, "content-type": "application/grpc+proto" });
  const seen = { answers: 0, ended: false, trailers: {} as Record<string, unknown> };
  stream.on("data", () => {
    seen.answers += 1;
  });
  stream.on("trailers", (trailers) => {
    seen.trailers = trailers;
  });
  stream.on("close", () => {
    seen.ended = true;
  });
  if (body !== undefined) stream.write(body);
  await until("the server to wait", () => timers.mock.calls.some(([, after]) => after === ms));
  return { stream, seen, ping: () => pinged(stream) };
}

/** Waits until everything has arrived that the server has sent. */
function pinged({ session }: ClientHttp2Stream): Promise<void> {
  return new Promise((resolve) => session?.ping(() => resolve()));
}

test.each([
  [health("Check"), 10],
  [health("List"), 10],
  [health("Watch"), 10],
  [reflection, 60],
])("%s ends with an error if nothing is sent for %i seconds", async (path, seconds) => {
  const { seen, ping } = await begin(path, seconds * 1_000);
  vi.advanceTimersByTime(seconds * 1_000 - 1);
  await ping();
  expect(seen.ended).toBe(false);
  vi.advanceTimersByTime(1);
  await until("the end", () => seen.ended);
  expect(seen.trailers["grpc-status"]).toBe(String(Code.DeadlineExceeded));
  expect(decodeURIComponent(String(seen.trailers["grpc-message"]))).toBe(`nothing was sent for ${seconds} s`);
});

test("The time begins again with each question", async () => {
  const { stream, seen } = await begin(reflection, 60_000, question);
  await until("an answer", () => seen.answers === 1);
  for (const number of [2, 3]) {
    vi.advanceTimersByTime(59_999);
    stream.write(question);
    await until("an answer", () => seen.answers === number);
  }
  vi.advanceTimersByTime(60_000);
  await until("the end", () => seen.ended);
  expect(seen.trailers["grpc-status"]).toBe(String(Code.DeadlineExceeded));
});

test("A client that has asked for changes may be silent for as long as it likes", async () => {
  const { stream, seen, ping } = await begin(health("Watch"), 10_000, frame(""));
  stream.end();
  await until("an answer", () => seen.answers === 1);
  vi.advanceTimersByTime(3_600_000);
  // By then, its end would have been sent.
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  await ping();
  expect(seen.ended).toBe(false);
});
