import { DialogFrame } from "../changes/dialog-frame.tsx";
import { failureOf } from "../parts/failure.ts";
import { FailureDetails } from "../parts/failure-notice.tsx";
import { exportWords as words } from "../words/export.ts";
import type { Exported, Progress } from "./export-list.ts";
import { type ExportState, useExport } from "./use-export.ts";

type Props = { exported: Exported; onClose: () => void };

/** Exports all pages of a list, and describes the file. Escape first cancels, then closes. */
export function ExportDialog({ exported, onClose }: Props) {
  const { state, begin, cancel } = useExport(exported);
  const isRunning = state.phase === "running";
  const send = {
    label: state.phase === "failed" ? words.retry : words.export,
    isReady: true,
    run: () => void begin(),
  };
  return (
    <DialogFrame
      title={words.title}
      onClose={isRunning ? cancel : onClose}
      closeLabel={isRunning ? words.cancel : words.close}
      send={isRunning || state.phase === "done" ? undefined : send}
    >
      {state.phase === "ready" && <Promises texts={exported.promises} />}
      <div role="status">
        <Outcome state={state} of={exported.of} />
      </div>
      {isRunning && <ProgressBar progress={state.progress} />}
    </DialogFrame>
  );
}

/** What people can rely on about the file. */
function Promises({ texts }: { texts: readonly string[] }) {
  return (
    <ul className="stack">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

function Outcome({ state, of }: { state: ExportState; of: Exported["of"] }) {
  switch (state.phase) {
    case "ready":
      return state.wasCancelled && <p>{words.cancelled}</p>;
    case "running":
      return <p className="visually-hidden">{words.exporting}</p>;
    case "done":
      return (
        <p>
          {words.exported(state.rows, of)}
          <strong>{state.name}</strong>.
        </p>
      );
    case "failed":
      return <Failed error={state.error} />;
  }
}

function Failed({ error }: { error: unknown }) {
  const { title, advice, detail, requestId } = failureOf(error);
  return (
    <div className="notice-failure">
      <p>
        <strong>{words.failed(title)}</strong>
      </p>
      <p>{advice}</p>
      <FailureDetails detail={detail} requestId={requestId} />
    </div>
  );
}

function ProgressBar({ progress }: { progress: Progress | undefined }) {
  const text = progress ? words.progress(progress.rows, progress.total) : words.first;
  return (
    <p className="stack">
      <progress
        aria-label={words.progressOf}
        aria-valuetext={text}
        {...(progress && Number.isFinite(progress.total) && { value: progress.rows, max: progress.total || 1 })}
      />
      {text}
    </p>
  );
}
