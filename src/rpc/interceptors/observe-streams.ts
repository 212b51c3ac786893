import { Code, ConnectError, type Interceptor, type StreamResponse } from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import { callOf } from "../call.ts";
import { type Observer, protocolOf } from "../observer.ts";

/** Reports each call to the observer, from its first message to its end, and logs faults in full. */
export function observeStreams(observer: Observer | undefined): Interceptor {
  return (next) => async (request) => {
    const { service, method, contextValues, header } = request;
    const rpc = `${service.typeName}/${method.name}`;
    const protocol = protocolOf(header.get("content-type") ?? undefined);
    const { log } = callOf(contextValues);
    const end = observer?.opened(rpc, protocol, log);

    function failed(thrown: unknown): never {
      const error = ConnectError.from(thrown);
      // Connect's errors and aborts are meant for callers.
      if (!(thrown instanceof ConnectError) && error.code !== Code.Canceled)
        log.error({ err: thrown, rpc }, "unexpected failure");
      end?.(codeToString(error.code));
      throw error;
    }

    async function* observed(message: StreamResponse["message"]) {
      let isOver = false;
      try {
        yield* message;
        isOver = true;
        end?.("ok");
      } catch (error) {
        isOver = true;
        failed(error);
      } finally {
        // The client has gone.
        if (!isOver) end?.("canceled");
      }
    }

    const response = await next(request).catch(failed);
    if (response.stream) return { ...response, message: observed(response.message) };
    end?.("ok");
    return response;
  };
}
