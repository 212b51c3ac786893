/**
 * Runs work that only one tab of the browser may do. The tab that has done it keeps the lock until it is closed. If the
 * work fails, the next tab gets its turn. Ends early, without an error, if the signal is aborted before it is this
 * tab's turn.
 */
export async function usedByOneTab(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  const done = Promise.withResolvers<void>();
  let hasBegun = false;
  // Doesn't wait for the lock to say so: Chromium ignores a signal that is aborted right after a page's first request
  // for a lock.
  signal.addEventListener("abort", () => !hasBegun && done.resolve());
  const turn = navigator.locks.request(name, { signal }, async () => {
    if (signal.aborted) return;
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
    if (signal.aborted) done.resolve();
    else done.reject(error);
  });
  return done.promise;
}
