import { type RefObject, useRef } from "react";
import { useLeaving } from "../parts/use-leaving.ts";

/** Whether a component is still in the page, or in a view that is kept: what comes of its work later is told elsewhere. */
export function useIsMounted(): RefObject<boolean> {
  const isMounted = useRef(true);
  useLeaving(() => {
    isMounted.current = false;
  });
  return isMounted;
}
