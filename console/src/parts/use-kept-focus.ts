import { useEffect } from "react";

/**
 * Where what has the focus leaves the page, such as a button that takes itself away, the next thing around it that can
 * take the focus gets it, or the view: else the keyboard would begin anew at the top of the page.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    const end = new AbortController();
    keepFocus(end.signal);
    return () => end.abort();
  }, []);
}

function keepFocus(signal: AbortSignal): void {
  /** What had the focus last, and all that is around it, from the inside out. */
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

  // Not by the event of leaving: not every browser sends it for what is removed. Whoever gives the focus back on
  // purpose, as a dialog does, does so within a frame.
  const observer = new MutationObserver(() => {
    if (isLost()) requestAnimationFrame(() => requestAnimationFrame(mend));
  });
  observer.observe(document.body, { childList: true, subtree: true });
  signal.addEventListener("abort", () => observer.disconnect());

  function remember({ target }: Event) {
    way = around(target);
  }
  /** Who clicks beside everything wants the focus nowhere. */
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
