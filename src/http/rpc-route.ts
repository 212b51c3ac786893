import type { OutgoingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Answer, Rpc } from "../rpc/door/call.ts";
import { isSupported, protocolOf } from "../rpc/door/protocols.ts";
import { endUnread, type Raw } from "./hang-up.ts";
import type { boundUnread } from "./unread-answers.ts";

/** The handler of POST requests to a path. */
export type Route = {
  readonly path: string;
  supportedContentType(contentType: string): boolean;
  /** Whether it is answered even when the server is too busy for more requests. */
  readonly isAlwaysAdmitted?: boolean;
  answer(request: FastifyRequest, reply: FastifyReply): void;
};

/** Counts the bytes of an answer until its connection is done with it. */
type CountUnread = ReturnType<typeof boundUnread>;

/**
 * Passes a request to its RPC and writes the answer to the socket, with the headers of the hooks before its own.
 * Fastify neither reads the body nor sends the answer.
 *
 * @param countUnread one for all routes
 * @param alias another name of the service, for a route with that name in its path
 */
export function rpcRoute(rpc: Rpc, countUnread: CountUnread, alias?: string): Route {
  return {
    path: `/${alias ?? rpc.method.parent.typeName}/${rpc.method.name}`,
    supportedContentType: isSupported,
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
        const { status, headers, trailers } = answer;
        endUnread(body, raw);
        raw.writeHead(status, { ...(reply.getHeaders() as OutgoingHttpHeaders), ...headers });
        if (trailers !== undefined) raw.addTrailers(trailers);
        // With as many bytes as characters it is ASCII, which Node copies in this encoding.
        const bytes = Number(headers["content-length"]);
        const isAscii = bytes === answer.body.length;
        raw.end(answer.body, isAscii ? "latin1" : "utf8");
        // gRPC answers may have no length.
        countUnread(raw, bytes || answer.body.length);
      };
      const arrival = {
        protocol: protocolOf(headers["content-type"]),
        isAlias: alias !== undefined,
        ...{ headers, body, log, onGone },
        acceptedHeaderBytes: () => acceptedHeaderBytes(raw),
      };
      rpc.answer(arrival).then(write, (error: unknown) => {
        log.error({ err: error }, "a request failed without a response");
        raw.destroy();
      });
    },
  };
}

/** A client tells this once for each connection of HTTP/2. */
function acceptedHeaderBytes(raw: Raw): number | undefined {
  return "stream" in raw ? raw.stream.session?.remoteSettings?.maxHeaderListSize : undefined;
}
