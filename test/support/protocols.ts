import type { DescMessage, DescService, MessageShape } from "@bufbuild/protobuf";
import { type Client, Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import {
  type ConnectTransportOptions,
  compressionGzip,
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
  Http2SessionManager,
} from "@connectrpc/connect-node";
import { onTestFinished } from "vitest";

/** A wire protocol over a version of HTTP, as clients speak it. */
export type Way = {
  readonly name: string;
  /** What logs and metrics call the protocol. */
  readonly protocol: "connect" | "grpc" | "grpc_web";
  readonly httpVersion: "1.1" | "2";
};

export const ways: readonly Way[] = [
  { name: "Connect over HTTP/1.1", protocol: "connect", httpVersion: "1.1" },
  { name: "gRPC-Web over HTTP/1.1", protocol: "grpc_web", httpVersion: "1.1" },
  { name: "Connect over HTTP/2", protocol: "connect", httpVersion: "2" },
  { name: "gRPC over HTTP/2", protocol: "grpc", httpVersion: "2" },
  { name: "gRPC-Web over HTTP/2", protocol: "grpc_web", httpVersion: "2" },
];

export const overHttp2 = ways.filter(({ httpVersion }) => httpVersion === "2");
export const [grpc] = ways.filter(({ protocol }) => protocol === "grpc") as [Way];

const transports = { connect: createConnectTransport, grpc: createGrpcTransport, grpc_web: createGrpcWebTransport };

export type TransportOptions = Partial<Pick<ConnectTransportOptions, "interceptors">>;

/** A transport whose connections close when the test has finished. */
function transportOf({ protocol, httpVersion }: Way, url: string, options: TransportOptions = {}): Transport {
  const accepted = { acceptCompression: [compressionGzip], ...options, baseUrl: url };
  if (httpVersion === "1.1") return transports[protocol]({ ...accepted, httpVersion });
  const sessionManager = new Http2SessionManager(url);
  onTestFinished(() => sessionManager.abort());
  return transports[protocol]({ ...accepted, httpVersion, sessionManager });
}

/** A client that sends a token with every call. */
export function clientOf<Service extends DescService>(
  service: Service,
  way: Way,
  url: string,
  token: string | undefined,
  options: TransportOptions = {},
): Client<Service> {
  const interceptors: TransportOptions["interceptors"] = [
    (next) => (request) => {
      if (token !== undefined) request.header.set("authorization", `Bearer ${token}`);
      return next(request);
    },
    ...(options.interceptors ?? []),
  ];
  return createClient(service, transportOf(way, url, { ...options, interceptors }));
}

/** The service under another name, for clients that call it by that. */
export function renamed<Service extends DescService>(service: Service, typeName: string): Service {
  const parent = { ...service, typeName };
  const method = Object.fromEntries(
    Object.entries(service.method).map(([name, one]) => [name, { ...one, parent }]),
  ) as Service["method"];
  return Object.assign(parent, { method, methods: Object.values(method) });
}

/** The name of the code that a call ends with. */
export const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "ok",
    (error) => Code[ConnectError.from(error).code],
  );

/** The error that a call ends with. */
export async function errorOf(call: Promise<unknown>): Promise<ConnectError> {
  const ended = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (ended instanceof ConnectError) return ended;
  throw new Error("the call did not end with an error", { cause: ended });
}

/** The first detail of a type in an error. */
export function detailOf<Desc extends DescMessage>(error: ConnectError, desc: Desc): MessageShape<Desc> {
  const [detail] = error.findDetails(desc);
  if (detail === undefined) throw new Error(`the error has no ${desc.typeName}`, { cause: error });
  return detail;
}
