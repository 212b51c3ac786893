import { type ReactNode, useState } from "react";

type Props = {
  label: string;
  /** What the button is about, where there are several with the same label. */
  of?: string;
  isDangerous?: boolean;
  isPrimary?: boolean;
  children: (close: () => void) => ReactNode;
};

/** A button that opens a dialog. */
export function DialogButton({ label, of, isDangerous, isPrimary, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        {...((isDangerous || isPrimary) && { className: isDangerous ? "danger" : "primary" })}
        {...(of !== undefined && { "aria-label": of })}
        onClick={() => setOpen(true)}
      >
        {label}
      </button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}
