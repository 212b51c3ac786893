import { type QueryClient, QueryObserver } from "@tanstack/react-query";
import { currentSession, onSessionChange } from "./session.ts";

/**
 * Answers are forgotten together with the view that showed them. While a view is kept, so are its answers; otherwise
 * its dialogs would close.
 */
export function keepAnswers(queries: QueryClient): () => void {
  let { view } = currentSession();
  let letGo = () => {};
  return onSessionChange(() => {
    const session = currentSession();
    if (session.view !== view) {
      view = session.view;
      letGo();
      queries.clear();
    } else if (session.token === undefined) {
      letGo();
      letGo = hold(queries);
    }
  });
}

/** Observers that keep answers from being forgotten, but ask for nothing themselves. */
function hold(queries: QueryClient): () => void {
  const inUse = queries.getQueryCache().findAll({ type: "active" });
  const leave = inUse.map(({ options, queryKey }) =>
    new QueryObserver(queries, { ...options, queryKey, enabled: false }).subscribe(() => {}),
  );
  return () => {
    for (const end of leave) end();
  };
}
