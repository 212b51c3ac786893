import type { IncomingMessage, ServerResponse } from "node:http";
import { Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

export type StopLimits = {
  /** How long new connections are still taken, so that balancers can notice that /readyz says no, in milliseconds. */
  readonly stopDelayMs: number;
  /** How long what is in flight may take after that, in milliseconds. */
  readonly stopGraceMs: number;
};

/** How long a client that keeps an idle connection has for one more request, in milliseconds. */
const lingerMs = 1_000;

/**
 * Once the server is told to stop, the last answer on each connection says `Connection: close`. A client that learns so
 * sends nothing more there; one whose idle connection is closed could just be sending, and would lose its request.
 */
export function closeAfterLastAnswers(app: FastifyInstance, stopping: AbortSignal): void {
  const newest = new Map<Socket, ServerResponse>();
  app.server.prependListener("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const earlier = newest.get(socket);
    newest.set(socket, response);
    response.once("close", () => {
      if (newest.get(socket) === response) newest.delete(socket);
    });
    if (!stopping.aborted) return;
    // It was sent before the answer to the earlier one, which so is not the last.
    if (earlier !== undefined && !earlier.headersSent) earlier.shouldKeepAlive = true;
    response.shouldKeepAlive = false;
  });
  stopping.addEventListener("abort", () => {
    for (const response of newest.values()) response.shouldKeepAlive = false;
  });
}

/** Takes nothing new, and resolves when every connection is closed: each once it is answered, all when time is up. */
export async function stopServing(app: FastifyInstance, { stopDelayMs, stopGraceMs }: StopLimits): Promise<void> {
  if (stopDelayMs > 0) await sleep(stopDelayMs);
  // Node's HTTP server would close idle connections at once.
  const closed = new Promise<void>((resolve) => {
    Server.prototype.close.call(app.server, () => resolve());
  });
  let nowIdle: NodeJS.Timeout | undefined;
  const lingered = setTimeout(() => {
    nowIdle = setInterval(() => app.server.closeIdleConnections(), 50);
  }, lingerMs);
  // A closed connection cancels the statements that still run for it, so that the pool can be closed.
  const cutOff = setTimeout(() => app.server.closeAllConnections(), stopGraceMs);
  await closed;
  clearTimeout(lingered);
  clearInterval(nowIdle);
  clearTimeout(cutOff);
  await app.close();
}
