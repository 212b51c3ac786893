import { Activity, createContext, type ReactNode, use, useInsertionEffect, useState } from "react";
import { createPortal } from "react-dom";

const Host = createContext<HTMLElement | undefined>(undefined);

/**
 * A view that keeps what a person has done in it while it is not shown: it stays in memory, and the document has nothing
 * of it. Its effects pause, so that no dialog of it holds the focus.
 */
export function KeptView({ isShown, children }: { isShown: boolean; children: ReactNode }) {
  const [host] = useState(() => document.createElement("div"));
  // Earlier than all effects of what is in it, some of which measure.
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

/** Where dialogs and menus of a view belong, so that they leave the document with it. */
export function useViewHost(): HTMLElement | undefined {
  return use(Host);
}
