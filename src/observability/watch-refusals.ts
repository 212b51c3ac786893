import type { FastifyInstance, FastifyReply } from "fastify";
import { codeAndReason } from "../rpc/door/observer.ts";
import type { ServerObserver } from "./server-observer.ts";

/**
 * Reports every request that is refused before it reaches an RPC. Answers of RPCs don't pass here: they are written to
 * the socket.
 */
export function watchRefusals(app: FastifyInstance, observer: ServerObserver): void {
  // Refusals for overload always have the same bytes. Reading these only once keeps refusing cheap.
  const read = new WeakMap<Buffer, { code: string; reason: string | undefined }>();
  app.addHook("onSend", (request, reply, payload, done) => {
    // A /readyz that is not ready is not a refusal. Its answer is a string.
    if (reply.statusCode >= 400 && payload instanceof Buffer) {
      const error =
        read.get(payload) ?? (isPage(reply) ? unknownAddress : codeAndReason(JSON.parse(payload.toString())));
      read.set(payload, error);
      observer.refused({ ...error, status: reply.statusCode, log: request.log });
    }
    done(null, payload);
  });
  // Runs before Fastify's own listener, which answers.
  app.server.prependListener("clientError", (error: NodeJS.ErrnoException, socket) => {
    // A broken connection is not a refusal.
    if (socket.writable) observer.unreadable(error.code);
  });
}

/** The code that callers of the API get where people get a page. */
const unknownAddress = { code: "unimplemented", reason: undefined };

function isPage(reply: FastifyReply): boolean {
  return String(reply.getHeader("content-type")).startsWith("text/html");
}
