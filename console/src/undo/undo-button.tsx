import { Undo2 } from "lucide-react";
import { undoWords } from "../words/undo.ts";
import { undo, useLastUndoable } from "./undoables.ts";

/** Undoes the last change that was made on this page, while there is one. */
export function UndoButton() {
  const last = useLastUndoable();
  if (last === undefined) return null;
  return (
    <button
      type="button"
      className="frame-undo"
      aria-label={undoWords.undoOf(last.what)}
      title={undoWords.undoOf(last.what)}
      onClick={() => undo(last)}
    >
      <Undo2 aria-hidden="true" />
      <span className="tool-label">{undoWords.undo}</span>
    </button>
  );
}
