import { useCallback, useRef, useState } from "react";

/**
 * Runs one task at a time: a second click is ignored while the first one is in progress. Resolves to whether the task
 * ran.
 */
export function useOneAtATime(): { isRunning: boolean; run: (work: () => Promise<void>) => Promise<boolean> } {
  const running = useRef(false);
  const [isRunning, setRunning] = useState(false);
  const run = useCallback(async (work: () => Promise<void>) => {
    // Not a state, because the next click would see that only after the page is rendered again.
    if (running.current) return false;
    running.current = true;
    setRunning(true);
    try {
      await work();
      return true;
    } finally {
      running.current = false;
      setRunning(false);
    }
  }, []);
  return { isRunning, run };
}
