import "./export.css";
import { useEffect, useId, useRef } from "react";
import { type Failure, failureOf } from "../parts/failure.ts";
import { FailureDetails } from "../parts/failure-notice.tsx";
import { FileFailed } from "./destination.ts";
import type { Exported, Progress } from "./export-list.ts";
import { type ExportState, useExport } from "./use-export.ts";

type Props = { exported: Exported; onClose: () => void };

const number = new Intl.NumberFormat();

/** Exports all pages of a list, and describes the file. Escape first cancels, then closes. */
export function ExportDialog({ exported, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const { state, begin, cancel } = useExport(exported);
  const isRunning = state.phase === "running";

  const leave = () => {
    // While it is open, nothing behind it can get the focus.
    dialog.current?.close();
    onClose();
  };
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    // In a kept view that is not shown, it must not hold the focus.
    return () => opened?.close();
  }, []);
  // The button that had the focus disappears with its phase.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again in each phase.
  useEffect(() => dialog.current?.focus(), [state.phase]);

  return (
    <dialog
      ref={dialog}
      className="export"
      tabIndex={-1}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        if (isRunning) cancel();
        else if (state.phase !== "choosing") leave();
      }}
    >
      <h2 id={heading}>Export as CSV</h2>
      {(state.phase === "ready" || state.phase === "choosing") && <Promises texts={exported.promises} />}
      <div role="status">
        <Outcome state={state} of={exported.of} />
      </div>
      {isRunning && <ProgressBar progress={state.progress} />}
      <div className="export-buttons">
        {isRunning ? (
          <button type="button" onClick={cancel}>
            Cancel
          </button>
        ) : (
          <>
            {state.phase !== "done" && (
              <button
                type="button"
                className="primary"
                disabled={state.phase === "choosing"}
                onClick={() => void begin()}
              >
                {state.phase === "failed" ? "Try again" : "Export"}
              </button>
            )}
            <button type="button" disabled={state.phase === "choosing"} onClick={leave}>
              Close
            </button>
          </>
        )}
      </div>
    </dialog>
  );
}

/** What people can rely on about the file. */
function Promises({ texts }: { texts: readonly string[] }) {
  return (
    <ul>
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

function Outcome({ state, of: [one, several] }: { state: ExportState; of: Exported["of"] }) {
  switch (state.phase) {
    case "ready":
      return state.wasCancelled && <p>Cancelled. Nothing was saved.</p>;
    case "choosing":
      return null;
    case "running":
      return <p className="visually-hidden">Exporting…</p>;
    case "done":
      return (
        <p>
          {number.format(state.rows)} {state.rows === 1 ? one : several} exported to <strong>{state.name}</strong>.
        </p>
      );
    case "failed":
      return <Failed error={state.error} />;
  }
}

function Failed({ error }: { error: unknown }) {
  const { title, advice, detail, requestId } = error instanceof FileFailed ? fileFailure(error) : failureOf(error);
  return (
    <div className="notice-failure">
      <p>
        <strong>{title}. Nothing was saved.</strong>
      </p>
      <p>{advice}</p>
      <FailureDetails detail={detail} requestId={requestId} />
    </div>
  );
}

function fileFailure({ message }: FileFailed): Omit<Failure, "reason"> {
  const advice = "See whether there is room on the disk, or save it elsewhere.";
  return { title: "The file could not be written", advice, detail: message, requestId: undefined };
}

function ProgressBar({ progress }: { progress: Progress | undefined }) {
  const text = progress
    ? `${number.format(progress.rows)} of ${number.format(progress.total)}`
    : "Asking for the first";
  return (
    <p className="export-progress">
      <progress
        aria-label="Exported"
        aria-valuetext={text}
        {...(progress && { value: progress.rows, max: progress.total || 1 })}
      />
      {text}
    </p>
  );
}
