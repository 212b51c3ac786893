import { type ReactNode, Suspense, useState } from "react";

/** If the address says whether a dialog is open, so links can open it. */
export type DialogInAddress = { readonly isOpen: boolean; readonly onChange: (isOpen: boolean) => void };

type Props = {
  label: string;
  /** What the button is about, where there are several with the same label. */
  of?: string | undefined;
  isDangerous?: boolean;
  isPrimary?: boolean;
  address?: DialogInAddress | undefined;
  children: (close: () => void) => ReactNode;
};

/** A button that opens a dialog. */
export function DialogButton({ label, of, isDangerous, isPrimary, address, children }: Props) {
  const [isOpenHere, setOpenHere] = useState(false);
  const isOpen = address?.isOpen ?? isOpenHere;
  const setOpen = address?.onChange ?? setOpenHere;
  return (
    <>
      <button
        type="button"
        // biome-ignore lint/a11y/noAutofocus: the dialog that a link opens gives the focus back to it.
        autoFocus={isOpen}
        // What one can do with a row is quieter than what one can do with the page.
        className={isDangerous ? "danger" : isPrimary ? "primary" : of && "plain"}
        {...(of !== undefined && { "aria-label": of })}
        onClick={() => setOpen(true)}
      >
        {label}
      </button>
      {isOpen && <Suspense>{children(() => setOpen(false))}</Suspense>}
    </>
  );
}
