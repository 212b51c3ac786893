// The server under test: the service's own, but for the RPCs it serves and who may call them. The suite's runner starts
// it: node test/conformance/server.ts MESSAGES [--library]

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { constants, createServer as createHttp2Server, createSecureServer, type Http2ServerResponse } from "node:http2";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { type ConnectRouter, createServiceImplSpec } from "@connectrpc/connect";
import { createUniversalServiceHandlers, type UniversalHandler } from "@connectrpc/connect/protocol";
import { createHandlerFactory as connectHandlers } from "@connectrpc/connect/protocol-connect";
import { createHandlerFactory as grpcHandlers } from "@connectrpc/connect/protocol-grpc";
import { createHandlerFactory as grpcWebHandlers } from "@connectrpc/connect/protocol-grpc-web";
import {
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import { pino } from "pino";
import { openReadiness } from "../../src/http/readiness.ts";
import { serverObserver } from "../../src/observability/server-observer.ts";
import { answered, wrapSince } from "../../src/rpc/around.ts";
import { answerErrors } from "../../src/rpc/interceptors/errors.ts";
import { connectOptions, jsonOptions } from "../../src/rpc/router.ts";
import { serveRpcs } from "../../src/server.ts";
import { testLimits } from "../support/server.ts";
import { conformanceService, messagesOf } from "./service.ts";

const [file = "", mode] = process.argv.slice(2);
const messages = messagesOf(file);
const { service, implementation } = conformanceService(messages);

type Asked = {
  readonly httpVersion: number;
  readonly useTls: boolean;
  readonly serverCreds?: { readonly cert: Uint8Array; readonly key: Uint8Array };
  readonly messageReceiveLimit: number;
};
const { httpVersion, useTls, serverCreds, messageReceiveLimit } = fromBinary(
  messages.message("ServerCompatRequest"),
  readFileSync(process.stdin.fd).subarray(4),
) as unknown as Asked;
const keyPair =
  useTls && serverCreds !== undefined
    ? { cert: Buffer.from(serverCreds.cert), key: Buffer.from(serverCreds.key) }
    : undefined;

const options = {
  acceptCompression: [compressionGzip],
  jsonOptions: { registry: messages.registry },
  readMaxBytes: messageReceiveLimit || 0xffffffff,
};
const library = createUniversalServiceHandlers(createServiceImplSpec(service, implementation), [
  connectHandlers(options),
  grpcHandlers(options),
  grpcWebHandlers(options),
]);
const port = await (mode === "--library" ? serveByLibrary() : serveAsService());
const answer = create(messages.message("ServerCompatResponse"), {
  host: "127.0.0.1",
  port,
  ...(keyPair && { pemCert: keyPair.cert }),
});
const bytes = toBinary(messages.message("ServerCompatResponse"), answer);
const length = Buffer.alloc(4);
length.writeUInt32BE(bytes.byteLength);
process.stdout.write(Buffer.concat([length, bytes]));
process.once("SIGTERM", () => process.exit());

/** By the path of every request of the service, behind a gate that lets anyone in. */
async function serveAsService(): Promise<number> {
  const log = pino({ level: "fatal" });
  const mostBytes = messageReceiveLimit || testLimits.maximumRequestBytes;
  const observer = serverObserver({ log });
  const stopping = new AbortController().signal;
  const rpcs = {
    ...connectOptions(testLimits, () => {}),
    requireConnectProtocolHeader: false,
    readMaxBytes: mostBytes,
    jsonOptions: { ...jsonOptions, registry: messages.registry },
    interceptors: [answerErrors],
    routes(router: ConnectRouter) {
      router.service(service, implementation);
      wrapSince(0, router, () => ({ mostBytes, observe: answered(observer) }));
    },
  };
  const app = await serveRpcs(rpcs, {
    limits: testLimits,
    corsOrigins: [],
    tls: keyPair && { keyPair, follow() {} },
    log,
    observer,
    readiness: openReadiness(async () => true, stopping),
    stopping,
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  return portOf(app.server);
}

/** By Connect's library alone, on Node's server. */
async function serveByLibrary(): Promise<number> {
  const answerOne = (request: IncomingMessage, response: ServerResponse) => {
    const handler = library.find(({ requestPath }) => requestPath === request.url);
    if (handler === undefined) response.writeHead(404).end();
    else answerByLibrary(handler, request, response);
  };
  const isHttp2 = httpVersion === 2;
  const encrypted = keyPair && (isHttp2 ? createSecureServer(keyPair) : createHttpsServer(keyPair));
  const server: Server = encrypted ?? (isHttp2 ? createHttp2Server() : createServer());
  server.on("request", answerOne);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return portOf(server);
}

function answerByLibrary(
  handler: UniversalHandler,
  request: IncomingMessage,
  response: ServerResponse | Http2ServerResponse,
): void {
  // The library doesn't end the stream of a body that it refuses, and the suite would wait for that.
  if ("stream" in response) {
    const end = () => request.complete || response.stream.close(constants.NGHTTP2_NO_ERROR);
    response.stream.once("wantTrailers", () => setImmediate(end));
  }
  handler(universalRequestFromNodeRequest(request, response, undefined, undefined))
    .then((answered) => {
      // The library leaves the rest of a body that it refuses on the connection.
      if (!("stream" in response)) response.shouldKeepAlive &&= request.complete;
      return universalResponseToNodeResponse(answered, response);
    })
    // The client has gone.
    .catch(() => {});
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
