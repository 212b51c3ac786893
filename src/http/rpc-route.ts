import type { OutgoingHttpHeaders } from "node:http";
import { contentTypeMatcher } from "@connectrpc/connect/protocol";
import { contentTypeUnaryRegExp } from "@connectrpc/connect/protocol-connect";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Answer, Rpc } from "../rpc/door/call.ts";

/** The handler of POST requests to a path. */
export type Route = {
  readonly path: string;
  supportedContentType(contentType: string): boolean;
  answer(request: FastifyRequest, reply: FastifyReply): void;
};

const supportedContentType = contentTypeMatcher(contentTypeUnaryRegExp);

/**
 * Passes a request to its RPC and writes the answer to the socket, with the headers of the hooks before its own.
 * Fastify neither reads the body nor sends the answer.
 */
export function rpcRoute(rpc: Rpc): Route {
  return {
    path: `/${rpc.method.parent.typeName}/${rpc.method.name}`,
    supportedContentType,
    answer({ headers, raw: body, log }, reply) {
      const { raw } = reply;
      let isAnswered = false;
      const onGone = (listener: () => void) =>
        raw.once("close", () => {
          if (!isAnswered) listener();
        });
      const write = (answer: Answer) => {
        isAnswered = true;
        if (raw.destroyed) return;
        const { status, headers, body } = answer;
        raw.writeHead(status, { ...(reply.getHeaders() as OutgoingHttpHeaders), ...headers });
        // With as many bytes as characters it is ASCII, which Node copies in this encoding.
        raw.end(body, Number(headers["content-length"]) === body.length ? "latin1" : "utf8");
      };
      rpc.answer({ headers, body, log, onGone }).then(write, (error: unknown) => {
        log.error({ err: error }, "a request failed without a response");
        raw.destroy();
      });
    },
  };
}
