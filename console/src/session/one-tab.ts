/**
 * Runs work that only one tab of the browser may ever do. The tab that has done it keeps the lock until it is closed; where
 * the work has failed, the next tab gets its turn. Ends early, without an error, when the signal is aborted before it is
 * this tab's turn.
 */
export async function usedByOneTab(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  const done = Promise.withResolvers<void>();
  const turn = navigator.locks.request(name, { signal }, async () => {
    await work();
    done.resolve();
    await new Promise(() => {});
  });
  turn.catch((error) => (signal.aborted && error === signal.reason ? done.resolve() : done.reject(error)));
  return done.promise;
}
