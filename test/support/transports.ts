import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { onTestFinished } from "vitest";

export const protocolNames = ["Connect", "gRPC-Web", "gRPC"] as const;
export type ProtocolName = (typeof protocolNames)[number];

/** A transport of Connect's library, with a connection of its own. Its streams end with the test at last. */
export function transportOf(protocol: ProtocolName, baseUrl: string): Transport {
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const interceptors = [endingWith(over.signal)];
  if (protocol === "gRPC") return createGrpcTransport({ baseUrl, interceptors });
  const create = protocol === "Connect" ? createConnectTransport : createGrpcWebTransport;
  return create({ baseUrl, httpVersion: "2", interceptors });
}

/** The name of the code that a call ends with. */
export const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "ok",
    (error) => Code[ConnectError.from(error).code],
  );

type Interceptor = NonNullable<Parameters<typeof createGrpcTransport>[0]["interceptors"]>[number];

function endingWith(over: AbortSignal): Interceptor {
  return (next) => (request) => next({ ...request, signal: AbortSignal.any([request.signal, over]) });
}
