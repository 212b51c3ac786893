import { CallerService, type GetCallerResponse } from "@authorization-service/client";
import { Code, ConnectError, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { currentSession, endRefusedSession, learnUser, onSessionChange } from "./session.ts";
import { tokenToCallWith } from "./token-to-call-with.ts";

const inTheNameOfTheCaller: Interceptor = (next) => async (request) => {
  const token = await tokenToCallWith();
  request.header.set("Authorization", `Bearer ${token}`);
  try {
    const answer = await next(request);
    if (request.method === CallerService.method.getCaller) {
      learnUser(token, (answer.message as GetCallerResponse).user?.id ?? "");
    }
    return answer;
  } catch (error) {
    if (ConnectError.from(error).code === Code.Unauthenticated) endRefusedSession(token);
    throw error;
  }
};

/** Calls the service that delivered the page, with the signed-in person's token. */
export const transport: Transport = withKeptCalls(
  createConnectTransport({ baseUrl: location.origin, defaultTimeoutMs: 20_000, interceptors: [inTheNameOfTheCaller] }),
);

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
          if (!isRefused || !onlyAsks(method)) throw error;
          await personIsBack();
          if (signal?.aborted) throw error;
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
