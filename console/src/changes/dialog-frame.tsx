import "./changes.css";
import { Dialog } from "@base-ui/react/dialog";
import { type ReactNode, useEffect, useRef } from "react";
import { useViewHost } from "../parts/kept-view.tsx";
import { DialogBody } from "./dialog-body.tsx";

type Props = {
  title: string;
  /** While something is on its way the dialog stays, so that its outcome is seen. */
  isBusy?: boolean;
  onClose: () => void;
  children: ReactNode;
  /** The buttons besides the one that closes. */
  actions?: ReactNode;
  closeLabel?: string;
};

/** A dialog for a change: it closes by its button and by Escape, not by a click beside it, which would lose the input. */
export function DialogFrame({ title, isBusy = false, onClose, children, actions, closeLabel = "Cancel" }: Props) {
  const host = useViewHost();
  const popup = useRef<HTMLDivElement>(null);
  // Where it becomes about something else, the button that was pressed may be gone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the title says what it is about.
  useEffect(() => {
    if (document.activeElement === document.body) popup.current?.focus();
  }, [title]);
  return (
    <Dialog.Root open disablePointerDismissal onOpenChange={(open) => !open && !isBusy && onClose()}>
      <Dialog.Portal container={host}>
        <Dialog.Backdrop className="dialog-backdrop" />
        <Dialog.Popup
          ref={popup}
          className="dialog"
          initialFocus={(opening) => (opening === "touch" ? null : textFieldIn(popup.current)) ?? popup.current}
        >
          <Dialog.Title className="dialog-title">{title}</Dialog.Title>
          <DialogBody>{children}</DialogBody>
          <div className="dialog-actions">
            <Dialog.Close aria-disabled={isBusy}>{closeLabel}</Dialog.Close>
            {actions}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** What is written in first. Without it the dialog itself has the focus: on a button, a key pressed early would do something. */
function textFieldIn(popup: HTMLElement | null): HTMLElement | null {
  return popup?.querySelector<HTMLElement>(".dialog-body input:not([type=checkbox])") ?? null;
}
