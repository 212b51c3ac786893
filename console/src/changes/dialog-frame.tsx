import "./changes.css";
import { Dialog } from "@base-ui/react/dialog";
import type { ReactNode } from "react";

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
  return (
    <Dialog.Root open disablePointerDismissal onOpenChange={(open) => !open && !isBusy && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-backdrop" />
        <Dialog.Popup className="dialog">
          <Dialog.Title className="dialog-title">{title}</Dialog.Title>
          <div className="dialog-body">{children}</div>
          <div className="dialog-actions">
            <Dialog.Close aria-disabled={isBusy}>{closeLabel}</Dialog.Close>
            {actions}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
