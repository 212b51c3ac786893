import type { IncomingMessage, ServerResponse } from "node:http";
import { Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import type { FastifyInstance } from "fastify";
import type { Port } from "./one-port.ts";

type StopLimits = {
  /** How long new connections are still accepted, in milliseconds, so load balancers can notice that /readyz fails. */
  readonly stopDelayMs: number;
  /** How long requests in flight may take after that, in milliseconds. */
  readonly stopGraceMs: number;
};

/** How long a client with an idle connection may still send one more request, in milliseconds. */
const lastRequestMs = 1_000;
/** How long the responses may take that say so, once the time for requests in flight is over, in milliseconds. */
const lastResponseMs = 500;
/** It may be committing. */
const tooLate = "the server is stopping; if this was a change, it may have been made";

/**
 * Once the server is stopping, the last answer on each connection has `Connection: close`, and the client sends nothing
 * more there. If the server just closed an idle connection, a client that is sending at that moment would lose its
 * request. HTTP/2 has GOAWAY for this.
 */
export function closeAfterLastAnswers({ server, http2 }: Port, stopping: AbortSignal): void {
  const newest = new Map<Socket, ServerResponse>();
  server.prependListener("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const earlier = newest.get(socket);
    newest.set(socket, response);
    response.once("close", () => {
      if (newest.get(socket) === response) newest.delete(socket);
    });
    if (!stopping.aborted) return;
    // The request was sent before the earlier one was answered, so that answer is not the last.
    if (earlier !== undefined && !earlier.headersSent) earlier.shouldKeepAlive = true;
    response.shouldKeepAlive = false;
  });
  stopping.addEventListener("abort", () => {
    for (const response of newest.values()) response.shouldKeepAlive = false;
    http2.announceEnd();
  });
}

/**
 * Accepts nothing new. Resolves when every connection is closed: each one after its response. When the time is up, the
 * requests in flight are refused by `cutOff`, and what is still open after that is closed.
 */
export async function stopServing(
  app: FastifyInstance,
  { stopDelayMs, stopGraceMs }: StopLimits,
  cutOff: AbortController,
): Promise<void> {
  if (stopDelayMs > 0) await sleep(stopDelayMs);
  // Closes only the listener, because Node's HTTP server would also close idle connections at once.
  const closed = new Promise<void>((resolve) => {
    Server.prototype.close.call(app.server, () => resolve());
  });
  const began = performance.now();
  const looking = setInterval(() => {
    const passedMs = performance.now() - began;
    if (passedMs >= lastRequestMs) app.server.closeIdleConnections();
    if (passedMs >= stopGraceMs) cutOff.abort(new ConnectError(tooLate, Code.Unavailable));
    if (passedMs >= stopGraceMs + lastResponseMs) app.server.closeAllConnections();
  }, 50);
  await closed;
  clearInterval(looking);
  await app.close();
}
