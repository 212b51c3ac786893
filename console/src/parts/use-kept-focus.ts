import { useEffect } from "react";

/**
 * If the focused element leaves the page, for example a button that removes itself, the closest focusable element
 * around it gets the focus, or the view. Otherwise keyboard users would start again at the top of the page.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    const end = new AbortController();
    keepFocus(end.signal);
    return () => end.abort();
  }, []);
}

function keepFocus(signal: AbortSignal): void {
  /** The last focused element and all elements around it, from the inside out. */
  let way: Element[] = [];
  const isOnNothing = () => document.activeElement === document.body;
  const isLost = () => way[0]?.isConnected === false && isOnNothing();

  function mend() {
    if (!isLost()) return;
    const next = way.find((element) => element.isConnected && element.matches("[tabindex]"));
    const taker = next instanceof HTMLElement ? next : document.getElementById("view");
    way = [];
    taker?.focus({ preventScroll: true });
  }

  // Doesn't use the blur event, because not every browser sends it for removed elements. Code that returns the focus on
  // purpose, such as a dialog, does so within a frame.
  const observer = new MutationObserver(() => {
    if (isLost()) requestAnimationFrame(() => requestAnimationFrame(mend));
  });
  observer.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener("abort", () => observer.disconnect());

  function remember({ target }: Event) {
    way = around(target);
  }
  /** A click outside of all elements means that no element should have the focus. */
  function forget() {
    if (isOnNothing() && way[0]?.isConnected) way = [];
  }
  document.addEventListener("focusin", remember, { signal });
  document.addEventListener("focusout", () => requestAnimationFrame(forget), { signal });
}

function around(target: EventTarget | null): Element[] {
  const way: Element[] = [];
  for (let element = target instanceof Element ? target : null; element; element = element.parentElement) {
    way.push(element);
  }
  return way;
}
