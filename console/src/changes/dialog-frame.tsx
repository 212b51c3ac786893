import "./changes.css";
import { Dialog } from "@base-ui/react/dialog";
import { type ComponentProps, type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { useViewHost } from "../parts/kept-view.tsx";
import { assignmentChangeWords } from "../words/assignment-changes.ts";

type Props = {
  title: string;
  /** While a request is in flight, the dialog stays open, so people see the outcome. */
  isBusy?: boolean;
  /** Whether it asks before something that can't be taken back. */
  isQuestion?: boolean;
  onClose: () => void;
  children: ReactNode;
  /** If the content is a form, its properties. Enter in one of its fields sends it. */
  form?: ComponentProps<"form">;
  /** The last button. Not ready, it keeps the focus but does nothing. */
  send?: Send | undefined;
  /** The buttons beside it and the one that closes the dialog. */
  actions?: ReactNode;
  closeLabel?: string | undefined;
};

export type Send = {
  readonly label: string;
  readonly isReady?: boolean;
  /** No key sends it by accident. */
  readonly isDangerous?: boolean | undefined;
  readonly run: () => void;
};

/**
 * A dialog: the title, the content, which scrolls, and the buttons. It closes with its button or Escape, but not with a
 * click beside it, which would lose the input.
 */
export function DialogFrame(props: Props) {
  const { title, isBusy = false, isQuestion, onClose, children, form, send, actions } = props;
  const host = useViewHost();
  const id = useId();
  const popup = useRef<HTMLDivElement>(null);
  // The button that had the focus may be gone. Before the paint, so the focus is never nowhere.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) popup.current?.focus();
  });
  const run = () => {
    if (send?.isReady ?? true) send?.run();
  };
  return (
    <Dialog.Root open disablePointerDismissal onOpenChange={(open) => !open && !isBusy && onClose()}>
      <Dialog.Portal container={host}>
        <Dialog.Backdrop className="dialog-backdrop" />
        <Dialog.Popup
          ref={popup}
          className="dialog"
          {...(isQuestion && { role: "alertdialog", "aria-describedby": id })}
          onClickCapture={(event) => holdBack(event, popup.current)}
          initialFocus={(opening) => (opening === "touch" ? null : textFieldIn(popup.current)) ?? popup.current}
        >
          <Dialog.Title className="dialog-title">{title}</Dialog.Title>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard. */}
          <section id={id} className="dialog-body stack" tabIndex={0} aria-label={assignmentChangeWords.dialogBody}>
            {form === undefined ? (
              children
            ) : (
              <form
                {...form}
                id={`${id}-form`}
                className="stack"
                onSubmit={(event) => {
                  event.preventDefault();
                  // Otherwise the form around it would also be submitted.
                  event.stopPropagation();
                  if (!send?.isDangerous) run();
                }}
              >
                {children}
              </form>
            )}
          </section>
          <div className="dialog-actions">
            <Dialog.Close aria-disabled={isBusy}>{props.closeLabel ?? assignmentChangeWords.cancel}</Dialog.Close>
            <span className="dialog-slot dialog-sends">
              {actions}
              {send && (
                <button
                  {...(form && !send.isDangerous
                    ? { type: "submit", form: `${id}-form` }
                    : { type: "button", onClick: run })}
                  className={send.isDangerous ? "danger" : "primary"}
                  aria-disabled={send.isReady === false}
                >
                  {send.label}
                </button>
              )}
            </span>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/**
 * Sends nothing while a field has typed text that was not picked, and leads to it: the form doesn't have what the field
 * shows. Enter in a text field clicks the button that sends, too.
 */
function holdBack(event: MouseEvent<HTMLElement>, popup: HTMLElement | null): void {
  const unpicked = popup?.querySelector<HTMLElement>("[data-unpicked]");
  if (!unpicked || !(event.target as Element).closest(".dialog-sends")) return;
  unpicked.focus();
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
