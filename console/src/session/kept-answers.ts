import { type QueryClient, QueryObserver } from "@tanstack/react-query";
import { currentSession, onSessionChange } from "./session.ts";

/**
 * What the service has answered is forgotten with the view it was shown in. While a view is kept, so are its answers:
 * without them, its dialogs would close.
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

/** Answers that nothing on the page uses are forgotten after a while; what uses these asks for nothing. */
function hold(queries: QueryClient): () => void {
  const inUse = queries.getQueryCache().findAll({ type: "active" });
  const leave = inUse.map(({ options, queryKey }) =>
    new QueryObserver(queries, { ...options, queryKey, enabled: false }).subscribe(() => {}),
  );
  return () => {
    for (const end of leave) end();
  };
}
