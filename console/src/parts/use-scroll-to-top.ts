import { type RefObject, useLayoutEffect } from "react";

/**
 * Scrolls to the top when another list is shown, for example the next page. `list` identifies the list. While its rows
 * are loading, those of the previous list stay where they are.
 */
export function useScrollToTop(scroller: RefObject<HTMLElement | null>, list: string, isOutdated: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is what there is to react to.
  useLayoutEffect(() => {
    if (!isOutdated && scroller.current) scroller.current.scrollTop = 0;
  }, [scroller, list, isOutdated]);
}
