import "./changes.css";
import { Dialog } from "@base-ui/react/dialog";
import { type MouseEvent, type ReactNode, useLayoutEffect, useRef } from "react";
import { useViewHost } from "../parts/kept-view.tsx";
import { focusUnpicked } from "../pickers/unpicked.ts";
import { assignmentChangeWords } from "../words/assignment-changes.ts";
import { DialogBody } from "./dialog-body.tsx";

type Props = {
  title: string;
  /** While a request is in flight, the dialog stays open, so people see the outcome. */
  isBusy?: boolean;
  onClose: () => void;
  children: ReactNode;
  /** The buttons in addition to the one that closes the dialog. */
  actions?: ReactNode;
  closeLabel?: string;
};

/**
 * A dialog for a change. It closes with its button or Escape, but not with a click beside it, which would lose the
 * input.
 */
export function DialogFrame({
  title,
  isBusy = false,
  onClose,
  children,
  actions,
  closeLabel = assignmentChangeWords.cancel,
}: Props) {
  const host = useViewHost();
  const popup = useRef<HTMLDivElement>(null);
  // If the title changes, the button that had the focus may be gone. Before the paint, so the focus is never nowhere.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the title says what it is about.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) popup.current?.focus();
  }, [title]);
  return (
    <Dialog.Root open disablePointerDismissal onOpenChange={(open) => !open && !isBusy && onClose()}>
      <Dialog.Portal container={host}>
        <Dialog.Backdrop className="dialog-backdrop" />
        <Dialog.Popup
          ref={popup}
          className="dialog"
          onClickCapture={(event) => holdBack(event, popup.current)}
          initialFocus={(opening) => (opening === "touch" ? null : textFieldIn(popup.current)) ?? popup.current}
        >
          <Dialog.Title className="dialog-title">{title}</Dialog.Title>
          <DialogBody>{children}</DialogBody>
          <div className="dialog-actions">
            <Dialog.Close aria-disabled={isBusy}>{closeLabel}</Dialog.Close>
            <span className="dialog-slot dialog-sends">{actions}</span>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Enter in a text field clicks the button that sends, too. */
function holdBack(event: MouseEvent<HTMLElement>, popup: HTMLElement | null): void {
  if (!(event.target as Element).closest(".dialog-sends") || !focusUnpicked(popup)) return;
  event.preventDefault();
  event.stopPropagation();
}

/**
 * The field that gets the focus. Without one, the dialog itself gets it, because on a button an early key press would
 * trigger it.
 */
function textFieldIn(popup: HTMLElement | null): HTMLElement | null {
  return popup?.querySelector<HTMLElement>(".dialog-body input:not([type=checkbox])") ?? null;
}
