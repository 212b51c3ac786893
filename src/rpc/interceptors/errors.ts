import type { Interceptor } from "@connectrpc/connect";
import { unlessAborted } from "../../authorization/unless-aborted.ts";
import { callOf } from "../call.ts";
import { toConnectError } from "../refusals.ts";

/**
 * Throws only errors that callers may see. A call whose time is over, or whose client has gone, ends at once, whatever it
 * waits for.
 */
export const answerErrors: Interceptor = (next) => async (request) => {
  const call = callOf(request.contextValues);
  call.held.endTurn();
  try {
    const response = await unlessAborted(next(request), call.signal);
    call.hasSucceeded = true;
    return response;
  } catch (error) {
    throw toConnectError(error, call.log, `${request.service.typeName}/${request.method.name}`);
  }
};
