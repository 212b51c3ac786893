import { type RefObject, useEffect, useRef } from "react";

/** Whether a component is still in the page: what comes of its work later is told elsewhere. */
export function useIsMounted(): RefObject<boolean> {
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}
