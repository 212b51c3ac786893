import { type RefObject, useLayoutEffect, useRef } from "react";

export type PanelFocus = {
  readonly panel: RefObject<HTMLElement | null>;
  readonly heading: RefObject<HTMLHeadingElement | null>;
  readonly close: () => void;
};

/** Moves the focus to the panel's heading, closes the panel on Escape, and returns the focus to its row. */
export function usePanelFocus(onClose: () => void): PanelFocus {
  const panel = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const returnTo = useRef<HTMLElement>(null);

  function close() {
    returnTo.current = document.querySelector<HTMLElement>("tr[data-open] .opener") ?? document.getElementById("view");
    onClose();
  }

  // Before the paint, so Escape closes the panel as soon as it is visible.
  useLayoutEffect(() => {
    if (!isAtWork()) heading.current?.focus({ preventScroll: true });
    // Only once the panel is gone, because on narrow screens it hides the row.
    return () => returnTo.current?.focus();
  }, []);

  useLayoutEffect(() => {
    const element = panel.current;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented && !isOfSomethingOpen(event.target)) close();
    };
    element?.addEventListener("keydown", closeOnEscape);
    return () => element?.removeEventListener("keydown", closeOnEscape);
  });

  return { panel, heading, close };
}

/** Whether the person is typing or choosing something. A panel that opens late must not interrupt them. */
function isAtWork(): boolean {
  return (
    document.activeElement?.matches("input:not([type=checkbox]), select, textarea, dialog *, [popover] *") ?? false
  );
}

/** Whether the key is meant for something open in the panel, and closes only that. */
function isOfSomethingOpen(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("dialog, [role=dialog], [popover], [aria-expanded=true]") !== null;
}
