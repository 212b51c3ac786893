import { useCallback, useRef, useState } from "react";

/**
 * Runs one piece of work at a time: what a second click asks for while the first is on its way is not done. Answers
 * whether it was.
 */
export function useOneAtATime(): { isRunning: boolean; run: (work: () => Promise<void>) => Promise<boolean> } {
  const running = useRef(false);
  const [isRunning, setRunning] = useState(false);
  const run = useCallback(async (work: () => Promise<void>) => {
    // A state would be known to the next click only after the page is drawn again.
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
