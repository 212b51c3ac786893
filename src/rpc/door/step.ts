import { type ContextValues, createContextValues } from "@connectrpc/connect";
import type { UniversalHandler, UniversalServerRequest, UniversalServerResponse } from "@connectrpc/connect/protocol";

export type Request = UniversalServerRequest & { readonly contextValues: ContextValues };
export type Answer = (request: Request) => Promise<UniversalServerResponse>;

/**
 * Something every request of an RPC passes before Connect reads it, and its answer after Connect has written it. A step
 * may change either, or give an answer of its own instead of asking for the next one.
 */
export type Step = (rpc: UniversalHandler) => (request: Request, next: Answer) => Promise<UniversalServerResponse>;

/** The same RPC behind steps, the first of which is the outermost. */
export function behind(steps: readonly Step[], rpc: UniversalHandler): UniversalHandler {
  const answer = steps.reduceRight<Answer>((next, step) => {
    const pass = step(rpc);
    return (request) => pass(request, next);
  }, rpc);
  return Object.assign(
    (request: UniversalServerRequest) =>
      answer({ ...request, contextValues: request.contextValues ?? createContextValues() }),
    rpc,
  );
}
