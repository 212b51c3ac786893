import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";

/** How many calls of a service may be open at once, of each kind. */
const most: Record<HandlerContext["method"]["methodKind"], number> = {
  unary: 100,
  server_streaming: 1_000,
  client_streaming: 0,
  bidi_streaming: 100,
};

/**
 * A gate that bounds how many calls are open at once, because these calls need no credentials. Each kind has its own
 * bound, so health checks are answered however many streams are open.
 */
export function boundOpenCalls(): (context: HandlerContext) => void {
  const open = { unary: 0, server_streaming: 0, client_streaming: 0, bidi_streaming: 0 };
  return ({ method: { methodKind: kind }, signal }) => {
    signal.throwIfAborted();
    if (open[kind] >= most[kind]) {
      const message = `more than ${most[kind]} calls of this kind at once; try again`;
      throw new ConnectError(message, Code.ResourceExhausted, { "retry-after": "1" });
    }
    open[kind] += 1;
    // It aborts when the call has ended, in whatever way.
    signal.addEventListener("abort", () => {
      open[kind] -= 1;
    });
  };
}
