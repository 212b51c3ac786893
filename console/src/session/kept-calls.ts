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
          await personIsBack();
        }
      }
    },
  };
}

function onlyAsks({ name }: { readonly name: string }): boolean {
  return /^(List|Get|Explain)/.test(name);
}

function personIsBack(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (currentSession().token === undefined) return;
      leave();
      resolve();
    };
    const leave = onSessionChange(look);
    look();
  });
}

function never(): Promise<never> {
  return new Promise(() => {});
}
