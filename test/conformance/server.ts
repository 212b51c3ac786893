// The server under test: the service's own, but for the RPCs it serves and who may call them. The suite's runner starts
// it: node test/conformance/server.ts MESSAGES [--library]

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { pino } from "pino";
import { serverObserver } from "../../src/observability/server-observer.ts";
import { mount } from "../../src/rpc/routes.ts";
import { serveRpcs } from "../../src/server.ts";
import { testLimits } from "../support/server.ts";
import { addService, messagesOf } from "./service.ts";

const [file = "", mode] = process.argv.slice(2);
const messages = messagesOf(file);
const given = fromBinary(
  messages.message("ServerCompatRequest"),
  readFileSync(process.stdin.fd).subarray(4),
) as unknown as { messageReceiveLimit: number };
const routes = addService(messages);
const jsonOptions = { registry: messages.registry };
const port = await (mode === "--library" ? serveByLibrary() : serveAsService());
const { buffer } = toBinary(
  messages.message("ServerCompatResponse"),
  create(messages.message("ServerCompatResponse"), { host: "127.0.0.1", port }),
);
const length = new DataView(new ArrayBuffer(4));
length.setUint32(0, buffer.byteLength);
process.stdout.write(Buffer.concat([new Uint8Array(length.buffer), new Uint8Array(buffer)]));
process.once("SIGTERM", () => process.exit());

/** By the way that every request of the service takes, with the protocol's header required. Anyone may call. */
async function serveAsService(): Promise<number> {
  const log = pino({ level: "fatal" });
  const limits = { ...testLimits, maximumRequestBytes: given.messageReceiveLimit || testLimits.maximumRequestBytes };
  const observer = serverObserver({ log });
  const mounted = mount({
    add: routes,
    limits,
    observer,
    gate: (share) => async (context) => share.enter("anyone", context.values),
    steps: [],
    interceptors: [],
    jsonOptions,
  });
  const app = await serveRpcs(mounted, {
    limits,
    corsOrigins: [],
    log,
    observer,
    isReady: async () => true,
    queue: () => ({ full: false, waitMs: 0 }),
    stopping: new AbortController().signal,
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  return portOf(app.server);
}

/** By Connect's library alone, on Node's server. */
async function serveByLibrary(): Promise<number> {
  const readMaxBytes = given.messageReceiveLimit || Number.MAX_SAFE_INTEGER;
  const server = createServer(connectNodeAdapter({ routes, jsonOptions, readMaxBytes, grpc: false, grpcWeb: false }));
  await once(server.listen(0, "127.0.0.1"), "listening");
  return portOf(server);
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
