import type { Authorization } from "@authorization-service/client";
import { useState } from "react";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { undo } from "../undo/undoables.ts";
import { undoWords } from "../words/undo.ts";
import { assignments } from "./assignment-name.ts";
import { type BatchChange, batchLabels } from "./batch-change.ts";
import { leftOf, listed, summaryOf } from "./batch-outcome.ts";
import { BatchPreview } from "./batch-preview.tsx";
import { DialogFrame } from "./dialog-frame.tsx";
import { RowList } from "./row-list.tsx";
import { type Run, useBatch } from "./use-batch.ts";

type Props = {
  kind: BatchChange["kind"];
  rows: readonly Authorization[];
  /** Called with the assignments that are still to be changed, in their latest known state. */
  onClose: (left: readonly Authorization[]) => void;
};

const noKeys: ReadonlySet<string> = new Set();

/** Changes many assignments: shows a preview, makes the changes chunk by chunk, and shows each result. */
export function BatchDialog({ kind, rows: selected, onClose }: Props) {
  const [rows, setRows] = useState(selected);
  const [keys, setKeys] = useState(noKeys);
  const { run, isRunning, undoable, refusal, start, stop, look, reset } = useBatch();
  if (run === undefined) {
    return (
      <BatchPreview
        kind={kind}
        rows={rows}
        keys={keys}
        onPick={setKeys}
        failure={refusal}
        onStart={(change, sent) => void start(change, sent)}
        onClose={() => onClose(rows)}
      />
    );
  }
  const left = leftOf(rows, run.changed);
  if (run.step !== "ended") return <Sending run={run} onStop={stop} />;

  const isUncertain = run.changed.some(({ outcome }) => outcome.case === "uncertain");
  const again = leftOf(
    run.changed.map(({ row }) => row),
    run.changed,
  ).length;
  return (
    <DialogFrame
      title={`${batchLabels[kind]}: ${summaryOf(run.changed)}`}
      isBusy={isRunning}
      onClose={() => onClose(left)}
      closeLabel="Close"
      actions={
        <>
          {undoable && (
            <button
              type="button"
              aria-disabled={isRunning}
              onClick={() => {
                if (isRunning) return;
                undo(undoable);
                onClose(left);
              }}
            >
              {undoWords.undo}
            </button>
          )}
          {again > 0 && !isUncertain && (
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
              Decide again on {assignments(again)}
            </button>
          )}
        </>
      }
    >
      <p role="status">
        {summaryOf(run.changed)}.{again > 0 && " What is not done stays selected."}
      </p>
      {isUncertain && (
        <section className="notice-failure" role="alert">
          <p>
            The server did not answer. It is uncertain whether the assignments marked so were changed; nothing was sent
            again.
          </p>
          <button type="button" aria-disabled={isRunning} onClick={() => void look()}>
            {isRunning ? "Looking…" : "Look what they are now"}
          </button>
        </section>
      )}
      {run.error !== undefined && !isUncertain && <FailureNotice error={run.error} />}
      <RowList label="Results" rows={listed(run.changed)} />
    </DialogFrame>
  );
}

function Sending({ run: { change, changed, step }, onStop }: { run: Run; onStop: () => void }) {
  const answered = changed.filter(({ outcome }) => outcome.case !== "unsent").length;
  const text = `${answered.toLocaleString()} of ${changed.length.toLocaleString()}`;
  return (
    <DialogFrame
      title={`${batchLabels[change.kind]}: ${assignments(changed.length)}`}
      isBusy
      onClose={onStop}
      closeLabel="Close"
      actions={
        <button type="button" aria-disabled={step === "stopping"} onClick={onStop}>
          {step === "stopping" ? "Stopping…" : "Stop"}
        </button>
      }
    >
      <label className="batch-progress">
        <progress max={changed.length} value={answered} />
        <span role="status">{text}</span>
      </label>
      <p className="muted">What is done stays done when you stop.</p>
    </DialogFrame>
  );
}
