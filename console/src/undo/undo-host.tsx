import { useTransport } from "@connectrpc/connect-query";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useShortcut } from "../keyboard/shortcuts.ts";
import { announce } from "../parts/announcements.tsx";
import { undoWords } from "../words/undo.ts";
import type { NotUndone } from "./send-undo.ts";
import { carryOn, type Undoable, undo, useIsLatest, useLastUndoable, useUndoing } from "./undoables.ts";

const NotUndoneDialog = lazy(async () => ({ default: (await import("./not-undone-dialog.tsx")).NotUndoneDialog }));

/** Undoes the changes of this page when it is told to, and lists what could not be undone. */
export function UndoHost() {
  const transport = useTransport();
  const queries = useQueryClient();
  const last = useLastUndoable();
  const [failed, setFailed] = useState<{ left: readonly NotUndone[]; all: number }>();
  useUndoing((undoable) => void run(undoable));
  // People who press it mean their last change.
  const isLatest = useIsLatest();
  useShortcut(
    "undo",
    () => (isLatest ? last && undo(last) : announce({ text: undoWords.notLatest })),
    last !== undefined,
  );

  async function run({ made, entries = [], undone, reason }: Undoable) {
    if (made.length > 0) announce({ text: undoWords.running(made.length) });
    // Loaded when it is needed: few people undo anything.
    const [{ sendUndo }, { restoreEntries }, { askAnew }] = await Promise.all([
      import("./send-undo.ts"),
      import("./restore-entries.ts"),
      import("../changes/changed-queries.ts"),
    ]);
    const { left, now } = await sendUndo(transport, made, undoWords.reason(reason));
    const problem = await restoreEntries(transport, entries, undoWords.reason(reason));
    carryOn(now);
    // Administrator roles decide what is seen anywhere.
    if (entries.length > 0) void queries.invalidateQueries({ predicate: ({ meta }) => meta?.isDryRun !== true });
    else askAnew(queries);
    if (problem !== undefined) announce({ failed: true, text: problem });
    else if (left.length === 0) announce({ text: undone });
    if (left.length === 0) return;
    announce({ failed: true, text: undoWords.failedCount(left.length, made.length) });
    setFailed({ left, all: made.length });
  }

  return <Suspense>{failed && <NotUndoneDialog {...failed} onClose={() => setFailed(undefined)} />}</Suspense>;
}
