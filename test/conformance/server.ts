// The server under test: the service's own, but for the RPCs it serves and who may call them. The suite's runner starts
// it: node test/conformance/server.ts MESSAGES

import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { ConnectRouter } from "@connectrpc/connect";
import { pino } from "pino";
import { openReadiness } from "../../src/http/readiness.ts";
import { serverObserver } from "../../src/observability/server-observer.ts";
import { answered, wrapSince } from "../../src/rpc/around.ts";
import { answerErrors } from "../../src/rpc/interceptors/errors.ts";
import { connectOptions, jsonOptions } from "../../src/rpc/router.ts";
import { serveRpcs } from "../../src/server.ts";
import { testLimits } from "../support/server.ts";
import { conformanceService, messagesOf } from "./service.ts";

const messages = messagesOf(process.argv[2] ?? "");
const { service, implementation } = conformanceService(messages);

type Asked = {
  readonly useTls: boolean;
  readonly serverCreds?: { readonly cert: Uint8Array; readonly key: Uint8Array };
  readonly messageReceiveLimit: number;
};
const { useTls, serverCreds, messageReceiveLimit } = fromBinary(
  messages.message("ServerCompatRequest"),
  readFileSync(process.stdin.fd).subarray(4),
) as unknown as Asked;
const keyPair =
  useTls && serverCreds !== undefined
    ? { cert: Buffer.from(serverCreds.cert), key: Buffer.from(serverCreds.key) }
    : undefined;

const answer = create(messages.message("ServerCompatResponse"), {
  host: "127.0.0.1",
  port: await serve(),
  ...(keyPair && { pemCert: keyPair.cert }),
});
const bytes = toBinary(messages.message("ServerCompatResponse"), answer);
const length = Buffer.alloc(4);
length.writeUInt32BE(bytes.byteLength);
process.stdout.write(Buffer.concat([length, bytes]));
process.once("SIGTERM", () => process.exit());

/** By the path of every request of the service, behind a gate that lets anyone in. */
async function serve(): Promise<number> {
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
  return (app.server.address() as AddressInfo).port;
}
