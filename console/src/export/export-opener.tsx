import { Download } from "lucide-react";
import { type ReactNode, Suspense, useState } from "react";
import { partWords } from "../words/parts.ts";

type Props = {
  /** Loads the dialog, before it is opened if possible. */
  load: () => Promise<unknown>;
  label?: string | undefined;
  children: (close: () => void) => ReactNode;
};

/** The button that opens the dialog of an export. */
export function ExportOpener({ load, label = partWords.export, children }: Props) {
  // A failure shows when the dialog is opened.
  const preload = () => void load().catch(() => undefined);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" title={label} onPointerEnter={preload} onFocus={preload} onClick={() => setOpen(true)}>
        <Download aria-hidden="true" />
        <span className="tool-label">{label}</span>
      </button>
      {isOpen && <Suspense>{children(() => setOpen(false))}</Suspense>}
    </>
  );
}
