import { once } from "node:events";
import { connect, type IncomingHttpHeaders } from "node:http2";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../gen/grpc/health/v1/health_pb.ts";
import { ServerReflection } from "../../gen/grpc/reflection/v1/reflection_pb.ts";
import { libraryRoute } from "../../src/http/library-route.ts";
import { openReadiness } from "../../src/http/readiness.ts";
import { standardHandlers } from "../../src/rpc/standard/standard-handlers.ts";
import { serveRoutes } from "../../src/server.ts";
import { testLimits } from "../support/server.ts";
import { transportOf } from "../support/transports.ts";

/** Shorter than those of the service, in milliseconds. */
const times = { requestMs: 1_000, idleMs: 1_500 };

let url: string;
let stop: () => Promise<void>;
let isReady = true;

beforeAll(async () => {
  const stopping = new AbortController().signal;
  const readiness = openReadiness(async () => isReady, stopping);
  const handlers = standardHandlers({ health: true, reflection: true }, [], new Map(), readiness, undefined);
  const app = await serveRoutes(
    handlers.map(({ path, handler }) => libraryRoute(path, handler, stopping, times)),
    {
      limits: testLimits,
      corsOrigins: [],
      log: pino({ level: "silent" }),
      readiness,
      queue: () => ({ full: false, waitMs: 0 }),
      stopping,
    },
  );
  url = await app.listen({ host: "127.0.0.1", port: 0 });
  stop = () => app.close();
});
afterAll(() => stop());

/** Begins a request that has headers and never a body. */
function beginRequest(rpc: string) {
  const session = connect(url);
  const stream = session.request({ ":method": "POST", ":path": `/${rpc}`, "content-type": "application/grpc+proto" });
  stream.resume();
  const trailers = once(stream, "trailers").then(([sent]: IncomingHttpHeaders[]) => sent?.["grpc-status"]);
  return { session, stream, trailers };
}

test.each(["Check", "List", "Watch"])("A client that sends no request is told so in time, by %s", async (rpc) => {
  const { session, stream, trailers } = beginRequest(`grpc.health.v1.Health/${rpc}`);
  const closed = once(stream, "close");
  expect(await trailers).toBe(String(Code.DeadlineExceeded));
  await closed;
  session.close();
});

test("A stream on which nothing is asked ends, and its connection remains", async () => {
  const client = createClient(ServerReflection, transportOf("gRPC", url));
  async function* silent() {
    yield { messageRequest: { case: "listServices", value: "" } } as const;
    await new Promise(() => {});
  }
  const answers = client.serverReflectionInfo(silent())[Symbol.asyncIterator]();
  expect((await answers.next()).done).toBe(false);
  const end = await answers.next().catch((error) => ConnectError.from(error));
  expect(end).toMatchObject({ code: Code.DeadlineExceeded, rawMessage: "nothing was sent or read for 1.5 s" });
  const again = client.serverReflectionInfo(silent())[Symbol.asyncIterator]();
  expect((await again.next()).done).toBe(false);
});

test("A client that waits for changes may be silent for longer", async () => {
  const watch = createClient(Health, transportOf("gRPC", url)).watch({})[Symbol.asyncIterator]();
  expect((await watch.next()).value).toMatchObject({ status: Status.SERVING });
  // Begun later, it takes as long as a request may take.
  const { session, trailers } = beginRequest("grpc.health.v1.Health/Check");
  await trailers;
  session.close();
  isReady = false;
  expect((await watch.next()).value).toMatchObject({ status: Status.NOT_SERVING });
});
