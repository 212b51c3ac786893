import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { currentSession, onSessionChange } from "./session.ts";

/**
 * Handles calls of a view that is kept while its person signs in again. Reads wait for the person and are then
 * repeated. Changes fail, because the person decides again whether to send them. Answers never reach a dropped view,
 * because they are none of the next person's business.
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

/** Waits until someone is signed in, or the call is no longer needed. */
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
