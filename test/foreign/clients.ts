import path from "node:path";
import { type Caller, startCaller } from "./caller.ts";
import { bufCurl, grpcurl } from "./command-lines.ts";
import { env, go, node, python, sources } from "./places.ts";

/** A client, a protocol it speaks, and the name by which it calls the service. */
export type Way = {
  readonly name: string;
  readonly protocol: string;
  readonly service: string;
  start(url: string): Caller;
  /** Whether it can set a deadline, and cancel a call without ending its process. */
  readonly hasDeadlines: boolean;
  readonly canCancel: boolean;
  /** Whether it shows the headers of a response. */
  readonly showsHeaders: boolean;
  /** How many calls are made at once. */
  readonly atOnce: number;
};

const own = "service.authorization.v2.AuthorizationService";
const alias = "zitadel.authorization.v2.AuthorizationService";
const able = { hasDeadlines: true, canCancel: true, showsHeaders: true, atOnce: 50 };

const program = (name: string) => path.join(sources, name);
const installed = (name: string) => path.join(node.folder, name);

/** Every way, under each name that the client can use. */
export const clients: readonly Way[] = [
  ...both("connect-go 1.21", "Connect", goCaller("connect-go", "connect")),
  ...both("connect-go 1.21", "gRPC-Web", goCaller("connect-go", "grpcweb")),
  ...both("connect-go 1.21", "gRPC", goCaller("connect-go", "grpc")),
  ...both("grpc-go 1.85", "gRPC", goCaller("grpc-go", "grpc")),
  ...both("grpcio 1.85", "gRPC", (service, url) =>
    startCaller(python.program, [program("python/grpc_caller.py"), url, service], env),
  ),
  {
    ...{ name: "zitadel-client 4.1.9", protocol: "Connect", service: alias, ...able },
    ...{ hasDeadlines: false, canCancel: false, showsHeaders: false },
    start: (url) => startCaller(python.program, [program("python/zitadel_caller.py"), url], env),
  },
  {
    ...{ name: "@zitadel/node 3.0.28", protocol: "gRPC", service: alias, ...able, hasDeadlines: false },
    start: (url) => startCaller(process.execPath, [installed("nice-grpc-caller.mjs"), url], env),
  },
  ...["gRPC-Web", "gRPC"].map((protocol) => ({
    ...{ name: "@zitadel/client 1.3.1", protocol, service: alias, ...able },
    start: connectCaller("zitadel", protocol, alias),
  })),
  ...["Connect", "gRPC-Web", "gRPC"].flatMap((protocol) =>
    both("our own, packed", protocol, (service, url) => connectCaller("own", protocol, service)(url)),
  ),
  ...both("grpcurl 1.9.4", "gRPC", (service, url) => grpcurl(url, service)).map((way) => ({
    ...way,
    ...{ canCancel: false, showsHeaders: false, atOnce: 5 },
  })),
  ...["Connect", "gRPC-Web", "gRPC"].flatMap((protocol) =>
    both("buf curl 1.75", protocol, (service, url) => bufCurl(url, protocol, service)).map((way) => ({
      ...way,
      ...{ hasDeadlines: false, canCancel: false, showsHeaders: false, atOnce: 5 },
    })),
  ),
];

function both(name: string, protocol: string, start: (service: string, url: string) => Caller): Way[] {
  return [own, alias].map((service) => ({ name, protocol, service, ...able, start: (url) => start(service, url) }));
}

function goCaller(client: string, protocol: string) {
  return (service: string, url: string) =>
    startCaller(path.join(go.bin, "caller"), [url, client, protocol, service], env);
}

function connectCaller(maker: string, protocol: string, service: string) {
  const args = [maker, protocol.toLowerCase(), service];
  return (url: string) => startCaller(process.execPath, [installed("connect-caller.mjs"), url, ...args], env);
}
