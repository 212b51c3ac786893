import type { Authorization } from "@authorization-service/client";
import { useEffect, useEffectEvent, useLayoutEffect, useState } from "react";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { type Undoable, undo } from "../undo/undoables.ts";
import { assignmentChangeWords, batchWords as words } from "../words/assignment-changes.ts";
import { undoWords } from "../words/undo.ts";
import { assignments } from "./assignment-name.ts";
import { type BatchChange, type Gift, labelOf } from "./batch-change.ts";
import { leftOf, listed, type Run, summaryOf } from "./batch-outcome.ts";
import { BatchPreview } from "./batch-preview.tsx";
import { DialogFrame } from "./dialog-frame.tsx";
import { RowList } from "./row-list.tsx";
import { useBatch } from "./use-batch.ts";

type Props = {
  kind: BatchChange["kind"];
  /** What is given, if that is the change. */
  gift?: Gift;
  /** The reason for a gift that was decided on before: it is sent without a preview. */
  decided?: string;
  rows: readonly Authorization[];
  /** Called with the assignments that are still to be changed, in their latest known state, and what can be undone. */
  onClose: (left: readonly Authorization[], undoable: Undoable | undefined) => void;
};

const noKeys: ReadonlySet<string> = new Set();

/** Changes many assignments: shows a preview, makes the changes chunk by chunk, and shows each result. */
export function BatchDialog({ kind, gift, decided, rows: selected, onClose }: Props) {
  const [rows, setRows] = useState(selected);
  const [keys, setKeys] = useState(noKeys);
  const { run, isRunning, undoable, refusal, start, stop, look, reset } = useBatch();
  const begin = useEffectEvent(() => {
    if (gift && decided !== undefined) void start(gift, rows, decided);
  });
  useLayoutEffect(() => begin(), []);
  const isAllDone = run?.step === "ended" && run.changed.every(({ outcome }) => outcome.case === "done");
  const leave = useEffectEvent(() => onClose([], undoable));
  // What was decided on before needs no look at results that are all the same.
  useEffect(() => {
    if (isAllDone && decided !== undefined) leave();
  }, [isAllDone, decided]);
  if (run === undefined) {
    return (
      <BatchPreview
        kind={kind}
        {...(gift && { gift })}
        rows={rows}
        keys={keys}
        onPick={setKeys}
        failure={refusal}
        onStart={(change, sent, reason) => void start(change, sent, reason)}
        onClose={() => onClose(rows, undoable)}
      />
    );
  }
  const left = leftOf(run.changed);
  if (run.step !== "ended") return <Sending run={run} onStop={stop} />;

  const isUncertain = run.changed.some(({ outcome }) => outcome.case === "uncertain");
  return (
    <DialogFrame
      title={words.titled(labelOf(gift ?? { kind }), summaryOf(run.changed))}
      isBusy={isRunning}
      onClose={() => onClose(left, undoable)}
      closeLabel={assignmentChangeWords.close}
      actions={
        <>
          {undoable && (
            <button
              type="button"
              aria-disabled={isRunning}
              onClick={() => {
                if (isRunning) return;
                undo(undoable);
                onClose(left, undoable);
              }}
            >
              {undoWords.undo}
            </button>
          )}
          {left.length > 0 && !isUncertain && (
            <button
              type="button"
              aria-disabled={isRunning}
              onClick={() => {
                if (isRunning) return;
                setRows(left);
                setKeys(noKeys);
                reset();
              }}
            >
              {words.again(left.length)}
            </button>
          )}
        </>
      }
    >
      {/* The title says the same, but isn't announced. */}
      <p role="status" className={left.length === 0 ? "visually-hidden" : undefined}>
        {summaryOf(run.changed)}.{left.length > 0 && ` ${words.staysSelected}`}
      </p>
      {isUncertain && (
        <section className="notice-failure" role="alert">
          <p>{words.uncertain}</p>
          <button type="button" aria-disabled={isRunning} onClick={() => void look()}>
            {isRunning ? words.looking : words.look}
          </button>
        </section>
      )}
      {run.error !== undefined && !isUncertain && <FailureNotice error={run.error} />}
      <RowList label={words.results} rows={listed(run.changed)} />
    </DialogFrame>
  );
}

function Sending({ run: { change, changed, step }, onStop }: { run: Run; onStop: () => void }) {
  const answered = changed.filter(({ outcome }) => outcome.case !== "unsent").length;
  const text = words.progress(answered, changed.length);
  return (
    <DialogFrame
      title={words.titled(labelOf(change), assignments(changed.length))}
      isBusy
      onClose={onStop}
      closeLabel={assignmentChangeWords.close}
      actions={
        <button type="button" aria-disabled={step === "stopping"} onClick={onStop}>
          {step === "stopping" ? words.stopping : words.stop}
        </button>
      }
    >
      <label className="stack">
        <progress max={changed.length} value={answered} />
        <span role="status">{text}</span>
      </label>
      <p className="muted">{words.staysDone}</p>
    </DialogFrame>
  );
}
