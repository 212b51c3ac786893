import { Download } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { partWords } from "../words/parts.ts";
import type { Exported } from "./export-list.ts";

const ExportDialog = lazy(async () => ({ default: (await import("./export-dialog.tsx")).ExportDialog }));

type Props = {
  label?: string | undefined;
  /** What is exported, as it is when the dialog is opened. */
  exported: () => Exported;
};

/** Opens the dialog that exports a whole list, not only the page. */
export function ExportButton({ label = partWords.export, exported }: Props) {
  const [opened, setOpened] = useState<Exported>();
  return (
    <>
      <button type="button" title={label} onClick={() => setOpened(exported())}>
        <Download aria-hidden="true" />
        <span className="tool-label">{label}</span>
      </button>
      {opened && (
        <Suspense>
          <ExportDialog exported={opened} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </>
  );
}
