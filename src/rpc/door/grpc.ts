import { encodeEnvelope, envelopeCompress } from "@connectrpc/connect/protocol";
import {
  contentTypeJson,
  contentTypeProto,
  grpcStatusOk,
  headerGrpcStatus,
  parseTimeout,
} from "@connectrpc/connect/protocol-grpc";
import {
  trailerFlag,
  trailerSerialize,
  contentTypeJson as webContentTypeJson,
  contentTypeProto as webContentTypeProto,
} from "@connectrpc/connect/protocol-grpc-web";
import type { Answer, Call, Protocol } from "./call.ts";
import { isJson, leastToCompress, negotiated } from "./encoding.ts";
import { errorTrailers } from "./error-trailers.ts";

/** gRPC. HTTP carries the trailers, so it needs HTTP/2. */
export const grpc: Protocol = {
  name: "grpc",
  contextName: "grpc",
  ...framedProtocol({
    mayHaveTrailers: false,
    contentTypes: { json: contentTypeJson, proto: contentTypeProto },
    inAll: (headers, message, trailers) => ({
      status: 200,
      headers,
      body: message,
      trailers: Object.fromEntries(trailers),
    }),
    // Half of what the client accepts, because some libraries refuse trailers long before they reach their own limit.
    mostTrailerBytes: (call) =>
      Math.min(mostTrailerBytes, (call.arrival.acceptedHeaderBytes() ?? Number.POSITIVE_INFINITY) / 2),
  }),
};

const mostTrailerBytes = 32_768;

/** gRPC-Web. The trailers are the last frame of the body, so it works in browsers and over HTTP/1.1. */
export const grpcWeb: Protocol = {
  name: "grpc_web",
  contextName: "grpc-web",
  ...framedProtocol({
    mayHaveTrailers: true,
    contentTypes: { json: webContentTypeJson, proto: webContentTypeProto },
    inAll(headers, message, trailers) {
      const body = Buffer.concat([message, encodeEnvelope(trailerFlag, trailerSerialize(trailers))]);
      return { status: 200, headers: { ...headers, "content-length": String(body.byteLength) }, body };
    },
    mostTrailerBytes: () => Number.POSITIVE_INFINITY,
  }),
};

type Form = {
  /** Whether a frame with trailers may be in the body of a request. */
  readonly mayHaveTrailers: boolean;
  readonly contentTypes: { readonly json: string; readonly proto: string };
  /** The answer with a framed message, or none, and trailers. */
  inAll(headers: Answer["headers"], message: Uint8Array, trailers: Headers): Answer;
  mostTrailerBytes(call: Call): number;
};

/** What gRPC and gRPC-Web have in common: messages are framed, and the result is in the trailers. */
function framedProtocol(form: Form): Omit<Protocol, "name" | "contextName"> {
  const typeFor = (json: boolean) => (json ? form.contentTypes.json : form.contentTypes.proto);
  return {
    frames: { mayHaveTrailers: form.mayHaveTrailers },
    timeout: (headers, maximumMs) => parseTimeout(headers["grpc-timeout"]?.toString() ?? null, maximumMs),
    compressions: (headers) =>
      negotiated(headers["grpc-encoding"], headers["grpc-accept-encoding"], "grpc-accept-encoding"),
    // Requests carry no version.
    requireVersion() {},
    async success(call, body) {
      return form.inAll(headersOf(call, typeFor(call.isJson)), await framed(call, body), okTrailers(call));
    },
    failure(call, error) {
      const trailers = errorTrailers(error, call.added?.trailer, form.mostTrailerBytes(call));
      return { ...form.inAll(headersOf(call, typeFor(call.isJson)), nothing, trailers), error };
    },
    refusal(error, contentType) {
      const headers = { "content-type": typeFor(isJson(contentType)) };
      return { ...form.inAll(headers, nothing, errorTrailers(error)), error };
    },
  };
}

const nothing = new Uint8Array();
const ok = new Headers({ [headerGrpcStatus]: grpcStatusOk });

async function framed({ compressions }: Call, body: string | Uint8Array): Promise<Uint8Array> {
  const data = typeof body === "string" ? new Uint8Array(Buffer.from(body)) : (body as Uint8Array<ArrayBuffer>);
  const envelope = await envelopeCompress({ flags: 0, data }, compressions.response, leastToCompress);
  return encodeEnvelope(envelope.flags, envelope.data);
}

function headersOf({ added, compressions }: Call, contentType: string): Answer["headers"] {
  const { response } = compressions;
  return {
    ...(added === undefined ? {} : Object.fromEntries(added.header)),
    "content-type": contentType,
    ...(response === null ? {} : { "grpc-encoding": response.name }),
  };
}

function okTrailers({ added }: Call): Headers {
  if (added === undefined) return ok;
  const trailers = new Headers(added.trailer);
  trailers.set(headerGrpcStatus, grpcStatusOk);
  return trailers;
}
