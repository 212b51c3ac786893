import { Activity, createContext, type ReactNode, use, useInsertionEffect, useState } from "react";
import { createPortal } from "react-dom";

const Host = createContext<HTMLElement | undefined>(undefined);

/**
 * A view that keeps a person's work while it is not shown. It stays in memory but is not in the document. Its effects
 * are paused, so none of its dialogs holds the focus.
 */
export function KeptView({ isShown, children }: { isShown: boolean; children: ReactNode }) {
  const [host] = useState(() => document.createElement("div"));
  // Runs before all effects inside of it, because some of these measure.
  useInsertionEffect(() => {
    if (!isShown) return;
    document.body.append(host);
    return () => host.remove();
  }, [host, isShown]);
  return createPortal(
    <Host value={host}>
      <Activity mode={isShown ? "visible" : "hidden"}>{children}</Activity>
    </Host>,
    host,
  );
}

/** The container for dialogs and menus of a view, so they leave the document with it. */
export function useViewHost(): HTMLElement | undefined {
  return use(Host);
}
