import { useEffect } from "react";

/**
 * If the focused element leaves the page, for example a button that removes itself, the closest focusable element
 * around it gets the focus, or the view. Otherwise keyboard users would start again at the top of the page.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    /** The last focused element and all elements around it, from the inside out. */
    let way: Element[] = [];
    const isLost = () => way[0]?.isConnected === false && document.activeElement === document.body;

    function remember({ target }: FocusEvent) {
      way = [];
      for (let at = target; at instanceof Element; at = at.parentElement) way.push(at);
    }

    function mend() {
      if (!isLost()) return;
      const next = way.find((element) => element.isConnected && element.matches("[tabindex]"));
      const taker = next instanceof HTMLElement ? next : document.getElementById("view");
      taker?.focus({ preventScroll: true });
    }

    // Doesn't use the blur event, because not every browser sends it for removed elements. Code that returns the focus on
    // purpose, such as a dialog, does so within a frame.
    const observer = new MutationObserver(() => {
      if (isLost()) requestAnimationFrame(() => requestAnimationFrame(mend));
    });
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener("focusin", remember);
    return () => {
      observer.disconnect();
      document.removeEventListener("focusin", remember);
    };
  }, []);
}
