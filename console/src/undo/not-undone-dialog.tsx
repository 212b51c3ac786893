import { DialogFrame } from "../changes/dialog-frame.tsx";
import { RowList } from "../changes/row-list.tsx";
import { undoWords } from "../words/undo.ts";
import type { NotUndone } from "./send-undo.ts";

/** Lists what could not be undone, and why. */
export function NotUndoneDialog({
  left,
  all,
  onClose,
}: {
  left: readonly NotUndone[];
  all: number;
  onClose: () => void;
}) {
  return (
    <DialogFrame title={undoWords.failedTitle} onClose={onClose} closeLabel={undoWords.close}>
      <p>{undoWords.failedCount(left.length, all)}</p>
      <RowList label={undoWords.failedList} rows={left.map((one) => ({ ...one, isBad: true }))} />
    </DialogFrame>
  );
}
