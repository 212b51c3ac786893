import type { FastifyInstance, FastifyReply } from "fastify";
import type { CallOutcome, ProtocolName } from "../rpc/observer.ts";
import type { ServerObserver } from "./server-observer.ts";

/**
 * Reports every request that is refused before it reaches an RPC. Answers of RPCs don't pass here: they are written to
 * the socket.
 *
 * @param refusalOf how a request was refused; undefined for any other answer
 */
export function watchRefusals(
  app: FastifyInstance,
  observer: ServerObserver,
  refusalOf: (reply: FastifyReply) => (CallOutcome & { readonly protocol: ProtocolName }) | undefined,
): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    const refusal = refusalOf(reply);
    if (refusal !== undefined) observer.refused({ ...refusal, log: request.log });
    done(null, payload);
  });
  // Runs before Fastify's own listener, which answers.
  app.server.prependListener("clientError", (error: NodeJS.ErrnoException, socket) => {
    // A broken connection is not a refusal.
    if (socket.writable) observer.unreadable(error.code);
  });
}
