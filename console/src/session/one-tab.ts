/**
 * Runs work that only one tab of the browser may do. The tab that has done it keeps the lock until it is closed. If the
 * work fails, the next tab gets its turn. Ends early, without an error, if the signal is aborted before it is this
 * tab's turn.
 */
export async function usedByOneTab(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  const done = Promise.withResolvers<void>();
  let hasBegun = false;
  const turn = navigator.locks.request(name, { signal }, async () => {
    hasBegun = true;
    await work().then(done.resolve, (error) => {
      done.reject(error);
      throw error;
    });
    await new Promise(() => {});
  });
  turn.catch((error) => {
    // Once the work has begun, waits for it even if the signal is aborted.
    if (hasBegun) return;
    if (signal.aborted && error === signal.reason) done.resolve();
    else done.reject(error);
  });
  return done.promise;
}
