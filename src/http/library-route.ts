import { Code, ConnectError, createContextValues } from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from "@connectrpc/connect-node";
import { beginWith } from "../rpc/door/observer.ts";
import { endUnread, giveUp } from "./hang-up.ts";
import { refuse } from "./refuse.ts";
import type { Route } from "./rpc-route.ts";
import { chunksUntil, openTimeLimit, type TimeLimit } from "./time-limit.ts";

type CallTimes = {
  /** How long a client may take to send a request and to read the answer to it, in milliseconds. */
  readonly requestMs: number;
  /** How long a client may keep a stream open on which it asks for nothing, in milliseconds. */
  readonly idleMs: number;
};

const ownTimes: CallTimes = { requestMs: 10_000, idleMs: 60_000 };

/**
 * Lets Connect's library answer the requests to a path, also those that stream. They need no credentials, so the client
 * has to keep sending and reading. Only a client that waits for the server's messages may be silent.
 *
 * @param stopped aborts when the server starts to stop, with the error for clients
 */
export function libraryRoute(
  path: string,
  handler: UniversalHandler,
  stopped: AbortSignal,
  times: CallTimes = ownTimes,
): Route {
  const { methodKind } = handler.method;
  return {
    path,
    supportedContentType: handler.supportedContentType,
    isAlwaysAdmitted: true,
    answer({ raw: request, log }, reply) {
      if (methodKind === "bidi_streaming" && request.httpVersionMajor === 1) {
        refuse(reply.header("connection", "close"), new ConnectError("this RPC needs HTTP/2", Code.Unimplemented), 505);
        return;
      }
      const response = reply.raw;
      for (const [name, value] of Object.entries(reply.getHeaders())) response.setHeader(name, value ?? "");
      const timeLimit = openTimeLimit(() => giveUp(response));
      response.once("close", timeLimit.end);
      endUnread(request, response);
      const values = createContextValues();
      beginWith(values, log, undefined);
      const arrived = universalRequestFromNodeRequest(request, response, undefined, values);
      const over = AbortSignal.any([timeLimit.over, stopped]);
      const body = bounded(chunksUntil(arrived.body as AsyncIterable<Uint8Array>, over), timeLimit, methodKind, times);
      handler({ ...arrived, body, signal: AbortSignal.any([arrived.signal, timeLimit.over]) })
        .then((answered) => {
          // The library leaves the rest of a body that it refuses on the connection.
          if (request.httpVersionMajor === 1) response.shouldKeepAlive &&= request.complete;
          return universalResponseToNodeResponse(answered, response);
        })
        // The client has gone.
        .catch(() => giveUp(response));
    },
  };
}

/** Gives the client some time for its whole body or, if both sides stream, for each part of it. */
async function* bounded(
  body: AsyncIterable<Uint8Array>,
  timeLimit: TimeLimit,
  kind: UniversalHandler["method"]["methodKind"],
  { requestMs, idleMs }: CallTimes,
): AsyncGenerator<Uint8Array> {
  timeLimit.wait(requestMs);
  for await (const chunk of body) {
    if (kind === "bidi_streaming") timeLimit.wait(idleMs);
    yield chunk;
  }
  timeLimit.wait(kind === "server_streaming" ? undefined : requestMs);
}
