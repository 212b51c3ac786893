import { contentTypeMatcher } from "@connectrpc/connect/protocol";
import { contentTypeUnaryRegExp } from "@connectrpc/connect/protocol-connect";
import { contentTypeRegExp as grpcRegExp } from "@connectrpc/connect/protocol-grpc";
import { contentTypeRegExp as grpcWebRegExp } from "@connectrpc/connect/protocol-grpc-web";
import type { Protocol } from "./call.ts";
import { connect } from "./connect.ts";
import { grpc, grpcWeb } from "./grpc.ts";

/** The protocol in which a client expects its answer, by the content type of its request. */
export function protocolOf(contentType: string | undefined): Protocol {
  const [, web] = (contentType !== undefined && grpcForm.exec(contentType)) || [undefined, undefined];
  if (web === undefined) return connect;
  return web === "" ? grpc : grpcWeb;
}

/** Also of formats that are not served: even a refusal must have a form that the client can read. */
const grpcForm = /^application\/grpc((?:-web)?)(?:$|[+;])/i;

const matches = contentTypeMatcher(contentTypeUnaryRegExp, grpcRegExp, grpcWebRegExp);

/** Whether messages of this content type are served. As in Connect's library, gRPC-Web in Base64 text is not. */
export function isSupported(contentType: string): boolean {
  return matches(contentType) && !/^application\/grpc-web-text/i.test(contentType);
}
