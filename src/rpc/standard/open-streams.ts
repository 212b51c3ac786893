import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { type Allowance, andThen, type Counting } from "../door/counting.ts";

/** How many calls may be open at once, of each kind. */
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
export function boundOpenCalls(counting: Counting, service: string): (context: HandlerContext) => void | Promise<void> {
  const kinds = Object.entries(most).map(
    ([kind, number]) => [kind, counting.allowance(`${kind} calls of ${service}`, number)] as const,
  );
  const open = Object.fromEntries(kinds) as Record<keyof typeof most, Allowance>;
  return ({ method: { methodKind: kind }, signal }) => {
    signal.throwIfAborted();
    return andThen(open[kind].take("", 1), (isTaken) => {
      if (!isTaken) {
        throw new ConnectError(
          `more than ${most[kind]} calls of this kind at once; try again`,
          Code.ResourceExhausted,
          {
            "retry-after": "1",
          },
        );
      }
      const close = () => open[kind].give("", 1);
      // It aborts when the call has ended, in whatever way.
      if (signal.aborted) close();
      else signal.addEventListener("abort", close);
    });
  };
}
