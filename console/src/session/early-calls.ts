import { create, type DescMessage, type DescMethodUnary, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import type { Transport, UnaryResponse } from "@connectrpc/connect";
import { currentSession } from "./session.ts";

/** For how long an early call waits for the view to make it, in milliseconds. */
const patience = 10_000;

type Early = { readonly of: string; readonly begun: number; readonly answer: Promise<UnaryResponse> };

/**
 * Lets calls begin before the view is there to make them. The view's first call with the same request gets the answer
 * of the early one, so nothing is requested twice. Later calls are sent as usual.
 */
export function withEarlyCalls(inner: Transport) {
  const calls = new Set<Early>();

  function take(of: string): Early | undefined {
    const found = [...calls].find((call) => call.of === of);
    if (found !== undefined) calls.delete(found);
    return found && found.begun + patience > performance.now() ? found : undefined;
  }

  const transport: Transport = {
    stream: (...call) => inner.stream(...call),
    async unary(method, ...rest) {
      const early = calls.size === 0 ? undefined : take(identity(method, rest[3]));
      return early === undefined
        ? inner.unary(method, ...rest)
        : (early.answer as ReturnType<typeof inner.unary<never, never>>);
    },
  };

  return {
    transport,
    begin<I extends DescMessage, O extends DescMessage>(method: DescMethodUnary<I, O>, request: MessageInitShape<I>) {
      const answer = inner.unary(method, undefined, undefined, undefined, request);
      // The view that takes the answer reports the failure.
      answer.catch(() => undefined);
      calls.add({ of: identity(method, request), begun: performance.now(), answer: answer as Promise<UnaryResponse> });
    },
  };
}

/** Calls of another person are other calls. */
function identity<I extends DescMessage>(method: DescMethodUnary<I>, request: MessageInitShape<I>): string {
  const { token = "" } = currentSession();
  return JSON.stringify([
    token,
    method.parent.typeName,
    method.name,
    toJson(method.input, create(method.input, request)),
  ]);
}
