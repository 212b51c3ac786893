import { type RefObject, useRef } from "react";
import { useLeaving } from "../parts/use-leaving.ts";

/**
 * Whether a component is still on the page or in a kept view. If not, the outcome of its work is reported elsewhere.
 */
export function useIsMounted(): RefObject<boolean> {
  const isMounted = useRef(true);
  useLeaving(() => {
    isMounted.current = false;
  });
  return isMounted;
}
