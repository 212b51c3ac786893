import { useTransport } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { ListedRow } from "../changes/assignment-name.ts";
import { useShortcut } from "../keyboard/shortcuts.ts";
import { announce } from "../parts/announcements.tsx";
import { undoWords as words } from "../words/undo.ts";
import { type Undoable, undo, useLastUndoable, useUndoing } from "./undoables.ts";

// Loaded when it is needed: few people undo anything.
const load = () => import("./send-undo.tsx");
const NotUndoneDialog = lazy(async () => ({ default: (await load()).NotUndoneDialog }));

/** Undoes the changes of this page, by a button while there is one, and lists what could not be undone. */
export function Undo() {
  const transport = useTransport();
  const queries = useQueryClient();
  const { last, isLatest } = useLastUndoable();
  const [failed, setFailed] = useState<{ left: readonly ListedRow[]; all: number }>();
  useUndoing((undoable) => void run(undoable));
  // People who press it mean their last change.
  useShortcut("undo", () => (isLatest ? last && undo(last) : announce({ text: words.notLatest })), last !== undefined);

  async function run(undoable: Undoable) {
    const all = undoable.made.length;
    if (all > 0) announce({ text: words.running(all) });
    const { sendUndo } = await load();
    const left = await sendUndo(transport, queries, undoable);
    if (left.length > 0) setFailed({ left, all });
  }

  const label = isLatest ? words.undo : words.undoEarlier;
  return (
    <>
      {last && (
        <button
          type="button"
          className="frame-undo"
          aria-label={words.undoOf(label, last.what)}
          title={words.undoOf(label, last.what)}
          onClick={() => undo(last)}
        >
          <Undo2 aria-hidden="true" />
          <span className="tool-label">{label}</span>
        </button>
      )}
      <Suspense>{failed && <NotUndoneDialog {...failed} onClose={() => setFailed(undefined)} />}</Suspense>
    </>
  );
}
