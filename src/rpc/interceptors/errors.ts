import type { ConnectError, Interceptor } from "@connectrpc/connect";
import { unlessAborted } from "../../authorization/unless-aborted.ts";
import { type Call, callOf } from "../call.ts";
import { toConnectError } from "../refusals.ts";

/**
 * Throws only errors that callers may see. A call whose time is over, or whose client has gone, ends at once, whatever it
 * waits for.
 */
export const answerErrors: Interceptor = (next) => async (request) => {
  const call = callOf(request.contextValues);
  if (!request.stream) call.held.endTurn();
  const asked = request.stream ? { ...request, message: endingTurn(request.message, call) } : request;
  const shown = (error: unknown) =>
    toConnectError(error, call.log, `${request.service.typeName}/${request.method.name}`);
  try {
    const response = await unlessAborted(next(asked), call.signal);
    call.hasSucceeded = true;
    return response.stream ? { ...response, message: untilError(response.message, shown) } : response;
  } catch (error) {
    throw shown(error);
  }
};

/** The message of a stream is read after its interceptors have run. */
async function* endingTurn<T>(messages: AsyncIterable<T>, { held }: Call): AsyncGenerator<T> {
  for await (const message of messages) {
    held.endTurn();
    yield message;
  }
}

/** A stream may also end with an error after it has begun. */
async function* untilError<T>(messages: AsyncIterable<T>, shown: (error: unknown) => ConnectError): AsyncGenerator<T> {
  try {
    yield* messages;
  } catch (error) {
    throw shown(error);
  }
}
