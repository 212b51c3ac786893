import { type RefObject, useEffect, useRef } from "react";

export type PanelFocus = {
  readonly panel: RefObject<HTMLElement | null>;
  readonly heading: RefObject<HTMLHeadingElement | null>;
  readonly close: () => void;
};

/** Puts the focus on the panel's heading, closes it with Escape, and gives the focus back to the row it is about. */
export function usePanelFocus(onClose: () => void): PanelFocus {
  const panel = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const returnTo = useRef<HTMLElement>(null);

  function close() {
    returnTo.current = document.querySelector<HTMLElement>("tr[data-open] .opener") ?? document.getElementById("view");
    onClose();
  }

  useEffect(() => {
    if (!isAtWork()) heading.current?.focus({ preventScroll: true });
    // Not before the panel is gone: where it is narrow, it hides the row.
    return () => returnTo.current?.focus();
  }, []);

  useEffect(() => {
    const element = panel.current;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented && !isOfSomethingOpen(event.target)) close();
    };
    element?.addEventListener("keydown", closeOnEscape);
    return () => element?.removeEventListener("keydown", closeOnEscape);
  });

  return { panel, heading, close };
}

/** Whether the reader is writing or choosing something: a panel that comes late takes nothing out of their hands. */
function isAtWork(): boolean {
  return (
    document.activeElement?.matches("input:not([type=checkbox]), select, textarea, dialog *, [popover] *") ?? false
  );
}

/** Whether the key is for what is open in the panel: it closes that alone. */
function isOfSomethingOpen(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("dialog, [role=dialog], [popover], [aria-expanded=true]") !== null;
}
