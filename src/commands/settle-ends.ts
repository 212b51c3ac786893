/** How often ends that have passed are written. The promised two seconds leave time for the writing. */
const everyMs = 1_000;

/**
 * Writes the ends of assignments that have passed, every second. Resolves once it has stopped.
 *
 * @param failed called for the first failure in a row; the ends are written later
 */
export function settleRegularly(
  settle: (signal: AbortSignal) => Promise<void>,
  failed: (error: unknown) => void,
): () => Promise<void> {
  const stopping = new AbortController();
  let settling: Promise<void> | undefined;
  let fails = false;
  const timer = setInterval(() => {
    settling ??= settle(stopping.signal)
      .then(
        () => {
          fails = false;
        },
        (error: unknown) => {
          if (!fails && !stopping.signal.aborted) failed(error);
          fails = true;
        },
      )
      .then(() => {
        settling = undefined;
      });
  }, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await settling;
  };
}
