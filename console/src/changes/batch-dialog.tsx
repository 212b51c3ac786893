import type { Authorization } from "@authorization-service/client";
import { useState } from "react";
import { Changes } from "../history/changes.tsx";
import { useHistory } from "../history/use-history.ts";
import { announce } from "../parts/announcements.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { assignmentChangeWords, batchWords as words } from "../words/assignment-changes.ts";
import type { BatchChange, Begun } from "./batch-change.ts";
import {
  isConflict,
  isDone,
  isGone,
  isUncertain,
  leftOf,
  listed,
  messageOf,
  type Run,
  summaryOf,
} from "./batch-outcome.ts";
import { BatchPreview } from "./batch-preview.tsx";
import { DialogFrame } from "./dialog-frame.tsx";
import { RowList } from "./row-list.tsx";
import { useBatch } from "./use-batch.ts";

type Props = {
  change: Begun;
  /** The reason for a change that was decided on before: it is sent without a preview. */
  decided?: string | undefined;
  rows: readonly Authorization[];
  /** Called with the assignments that are still to be changed, in their latest known state, and what was done. */
  onClose: (left: readonly Authorization[], run?: Run) => void;
};

/**
 * Changes one or many assignments: shows a preview, makes the changes chunk by chunk, and shows each result, unless all
 * is done.
 */
export function BatchDialog({ decided, onClose, ...given }: Props) {
  // What was decided on stays the same while the page behind the dialog changes.
  const [{ change }] = useState(given);
  const [rows, setRows] = useState(given.rows);
  const [keys, setKeys] = useState((): ReadonlySet<string> => new Set());
  const [reason, setReason] = useState(decided ?? "");
  const close = (run: Run) => {
    if (run.step === "refused" || run.undoable || run.changed.every(isDone)) announce(messageOf(run));
    onClose(leftOf(run.changed), run);
  };
  const decision = decided === undefined ? undefined : { change: change as BatchChange, rows, reason };
  const { run, start, stop, look, reset } = useBatch(decision, close);
  if (run === undefined || run.step === "refused") {
    return (
      <BatchPreview
        begun={change}
        rows={rows}
        keys={keys}
        onPick={setKeys}
        failure={run?.error}
        given={reason}
        onStart={(change, rows, reason) => {
          setReason(reason);
          start({ change, rows, reason });
        }}
        onClose={() => onClose(rows)}
      />
    );
  }
  if (run.step === "sending" || run.step === "stopping") return <Sending run={run} onStop={stop} />;
  return (
    <Results
      run={run}
      onLook={() => look(run)}
      onReview={() => {
        setRows(leftOf(run.changed));
        reset();
      }}
      onClose={() => close(run)}
    />
  );
}

function Sending({ run: { change, changed, step }, onStop }: { run: Run; onStop: () => void }) {
  const answered = changed.filter(({ outcome }) => outcome.case !== "unsent").length;
  return (
    <DialogFrame
      title={words.actions[change.kind](assignmentChangeWords.assignments(changed.length))}
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
        <progress className="sending" max={changed.length} value={answered} />
        <span role="status">{words.progress(answered, changed.length)}</span>
      </label>
      <p className="muted">{words.staysDone}</p>
    </DialogFrame>
  );
}

type ResultsProps = { run: Run; onLook: () => void; onReview: () => void; onClose: () => void };

/** What came of the change. Of a single assignment that someone else has changed, it also shows who it was. */
function Results({ run, onLook, onReview, onClose }: ResultsProps) {
  const { changed, step, error } = run;
  const [one, ...others] = changed;
  const theirs = others.length === 0 && one && (isGone(one) || (isConflict(one) && one.now)) ? one : undefined;
  const left = leftOf(changed);
  const isLooking = step === "looking";
  const hasUncertain = changed.some(isUncertain);
  const canReview = left.length > 0 && !hasUncertain;
  const title = theirs ? words.theirs[theirs.now ? "faster" : "gone"] : summaryOf(run);
  return (
    <DialogFrame
      title={title}
      isBusy={isLooking}
      onClose={onClose}
      closeLabel={assignmentChangeWords.close}
      send={canReview ? { label: words.again(left.length), isReady: !isLooking, run: onReview } : undefined}
    >
      {/* The title says the same, but isn't announced. */}
      <p role="status" className="visually-hidden">
        {title}
      </p>
      {hasUncertain && (
        <section className="notice-failure" role="alert">
          <p>{words.uncertain}</p>
          <button type="button" aria-disabled={isLooking} onClick={onLook}>
            {isLooking ? words.looking : words.look}
          </button>
        </section>
      )}
      {error !== undefined && !hasUncertain && <FailureNotice error={error} />}
      <RowList label={words.results} rows={listed(changed)} />
      {theirs && <LatestEvents id={(theirs.now ?? theirs.row).id} />}
    </DialogFrame>
  );
}

const latest = { lines: 3, events: 3 };

/** What changed last, so people see who was faster. */
function LatestEvents({ id }: { id: string }) {
  const { data } = useHistory({ assignment: id }, latest);
  return data && data.lines.length > 0 && <Changes lines={data.lines} isOfOne />;
}
