/**
 * Does work regularly, one at a time. The result stops it, and resolves once what was under way has ended.
 *
 * @param failed called for the first failure in a row; the work is done again the next time
 */
export function regularly(
  everyMs: number,
  work: (signal: AbortSignal) => Promise<void>,
  failed: (error: unknown) => void,
): () => Promise<void> {
  const stopping = new AbortController();
  let working: Promise<void> | undefined;
  let fails = false;

  async function once(): Promise<void> {
    try {
      await work(stopping.signal);
      fails = false;
    } catch (error) {
      if (!fails && !stopping.signal.aborted) failed(error);
      fails = true;
    }
    working = undefined;
  }

  const timer = setInterval(() => {
    working ??= once();
  }, everyMs).unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await working;
  };
}
