import { Code, ConnectError } from "@connectrpc/connect";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { isUnreachable } from "../parts/failure.ts";
import { currentSession, onSessionChange } from "./session.ts";

/** The shortest and the longest pause before an unreachable server is asked again, in milliseconds. */
const patience = { least: 3_000, most: 8_000 };
/**
 * How long an answer is current, in milliseconds, for what several parts of a view need or what was asked before the view
 * was there. The parts are shown one after the other, and don't ask again for what has just come.
 */
export const justNow = 1_000;

/**
 * Answers are shown while newer ones are loading, but never treated as current: each view asks again when it is opened
 * or becomes visible again.
 */
export function queryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 0,
        // No hidden retries: the views say that the server is unavailable, and keep asking.
        retry: (count, error) => count < 1 && ConnectError.from(error).code === Code.Aborted,
        networkMode: "always",
        refetchInterval: ({ state: { error } }) =>
          error !== null && isUnreachable(error) && waitAfter(ConnectError.from(error)),
      },
      // A change is never sent again automatically.
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

/**
 * Forgets answers together with the view that showed them. While a view is kept, so are its answers, however long;
 * otherwise its dialogs would close.
 */
export function keepAnswers(queries: QueryClient): () => void {
  let { view } = currentSession();
  let held: (() => void)[] = [];
  return onSessionChange(() => {
    const session = currentSession();
    if (session.view === view && session.token !== undefined) return;
    const inUse = session.view === view ? queries.getQueryCache().findAll({ type: "active" }) : [];
    const before = held;
    // Observers keep answers from being forgotten, and ask for nothing themselves.
    held = inUse.map(({ options, queryKey }) =>
      new QueryObserver(queries, { ...options, queryKey, enabled: false }).subscribe(() => {}),
    );
    for (const letGo of before) letGo();
    if (session.view !== view) queries.clear();
    view = session.view;
  });
}

/** The pause is never shorter than the server asks for, and has a random part for each client. */
export function waitAfter(error: ConnectError, chance = Math.random()): number {
  const asked = Number(error.metadata.get("retry-after") ?? 0) * 1_000;
  return Math.max(Math.round(patience.least + (patience.most - patience.least) * chance), asked || 0);
}
