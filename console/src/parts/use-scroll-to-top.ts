import { type RefObject, useLayoutEffect } from "react";

/**
 * Shows the beginning when another list is shown, such as the next page; `list` tells lists apart. While its rows are
 * on their way, those of the list before stay where they are.
 */
export function useScrollToTop(scroller: RefObject<HTMLElement | null>, list: string, isOutdated: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is what there is to react to.
  useLayoutEffect(() => {
    if (!isOutdated && scroller.current) scroller.current.scrollTop = 0;
  }, [scroller, list, isOutdated]);
}
