import type { FastifyInstance, FastifyReply } from "fastify";
import { codeAndReason } from "../rpc/door/observer.ts";
import type { ServerObserver } from "./server-observer.ts";

/**
 * Tells the observer of every request that is refused before it reaches an RPC. Answers of RPCs do not pass here: they
 * are written to the socket.
 */
export function watchRefusals(app: FastifyInstance, observer: ServerObserver): void {
  // Refusing for overload has to cost next to nothing, and is done with the same bytes each time.
  const read = new WeakMap<Buffer, { code: string; reason: string | undefined }>();
  app.addHook("onSend", (request, reply, payload, done) => {
    // A /readyz that is not ready is no refusal; its answer is a text.
    if (reply.statusCode >= 400 && payload instanceof Buffer) {
      const error =
        read.get(payload) ?? (isPage(reply) ? unknownAddress : codeAndReason(JSON.parse(payload.toString())));
      read.set(payload, error);
      observer.refused({ ...error, status: reply.statusCode, log: request.log });
    }
    done(null, payload);
  });
  // Before Fastify's own listener, which answers.
  app.server.prependListener("clientError", (error: NodeJS.ErrnoException, socket) => {
    // A connection that broke was not refused.
    if (socket.writable) observer.unreadable(error.code);
  });
}

/** What people are told by a page, callers of the API are told by this code. */
const unknownAddress = { code: "unimplemented", reason: undefined };

function isPage(reply: FastifyReply): boolean {
  return String(reply.getHeader("content-type")).startsWith("text/html");
}
