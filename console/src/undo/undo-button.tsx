import { Undo2 } from "lucide-react";
import { undoWords } from "../words/undo.ts";
import { undo, useIsLatest, useLastUndoable } from "./undoables.ts";

/** Undoes the last change that was made on this page, while there is one. */
export function UndoButton() {
  const last = useLastUndoable();
  const isLatest = useIsLatest();
  if (last === undefined) return null;
  const label = isLatest ? undoWords.undo : undoWords.undoEarlier;
  return (
    <button
      type="button"
      className="frame-undo"
      aria-label={undoWords.undoOf(label, last.what)}
      title={undoWords.undoOf(label, last.what)}
      onClick={() => undo(last)}
    >
      <Undo2 aria-hidden="true" />
      <span className="tool-label">{label}</span>
    </button>
  );
}
