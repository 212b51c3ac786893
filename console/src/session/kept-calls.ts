import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { currentSession, onSessionChange } from "./session.ts";

/**
 * Calls of a view that is kept while its person signs in again. What only asks waits for them and is asked again then;
 * a change fails, because the person decides again whether to send it. No answer reaches a view that is dropped: what
 * came of it is none of the next person's business.
 */
export function withKeptCalls(inner: Transport): Transport {
  return {
    stream: (...call) => inner.stream(...call),
    async unary(method, signal, ...rest) {
      const { view } = currentSession();
      const isDropped = () => currentSession().view !== view;
      for (;;) {
        try {
          const answer = await inner.unary(method, signal, ...rest);
          return isDropped() ? await never() : answer;
        } catch (error) {
          if (isDropped()) return never();
          const isRefused = ConnectError.from(error).code === Code.Unauthenticated;
          if (!isRefused || !onlyAsks(method) || signal?.aborted) throw error;
          await personIsBack(signal);
        }
      }
    },
  };
}

function onlyAsks({ name }: { readonly name: string }): boolean {
  return /^(List|Get|Explain)/.test(name);
}

/** Until someone is signed in, or the call is not wanted any more. */
function personIsBack(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (currentSession().token === undefined && !signal?.aborted) return;
      leave();
      signal?.removeEventListener("abort", look);
      resolve();
    };
    const leave = onSessionChange(look);
    signal?.addEventListener("abort", look);
    look();
  });
}

function never(): Promise<never> {
  return new Promise(() => {});
}
