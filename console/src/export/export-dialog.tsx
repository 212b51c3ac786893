import { useTransport } from "@connectrpc/connect-query";
import { use, useEffect, useRef, useState } from "react";
import { DialogFrame } from "../changes/dialog-frame.tsx";
import { failureOf } from "../parts/failure.ts";
import { FailureDetails } from "../parts/failure-notice.tsx";
import { useLeaving } from "../parts/use-leaving.ts";
import { exportWords as words } from "../words/export.ts";
import { type Exported, exportList, fileName, type Progress } from "./export-list.ts";

type State =
  | { readonly phase: "ready"; readonly wasCancelled: boolean }
  | { readonly phase: "running"; readonly progress: Progress | undefined }
  | { readonly phase: "done"; readonly rows: number; readonly name: string }
  | { readonly phase: "failed"; readonly error: unknown };

type Props = { exported: Promise<Exported>; onClose: () => void };

/** Exports all pages of a list, and describes the file. Escape first cancels, then closes. */
export function ExportDialog({ exported: promise, onClose }: Props) {
  const { file, of, header, promises, rows: rowsOf } = use(promise);
  const transport = useTransport();
  const [state, setState] = useState<State>({ phase: "ready", wasCancelled: false });
  const running = useRef<AbortController>(undefined);
  const isRunning = state.phase === "running";
  const cancel = () => running.current?.abort();
  useLeaving(cancel);
  // Browsers ask before they close the tab, which would end the export.
  useEffect(() => {
    if (!isRunning) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isRunning]);

  async function begin() {
    const show = (progress?: Progress) => setState({ phase: "running", progress });
    show();
    running.current = new AbortController();
    const { signal } = running.current;
    const name = fileName(file, new Date());
    try {
      const rows = await exportList(name, header, rowsOf(transport, signal), show, signal);
      setState({ phase: "done", rows, name });
    } catch (error) {
      setState(signal.aborted ? { phase: "ready", wasCancelled: true } : { phase: "failed", error });
    }
  }

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
      {state.phase === "ready" && (
        <ul className="stack">
          {promises.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <div role="status">
        <Outcome state={state} of={of} />
      </div>
      {isRunning && <ProgressBar progress={state.progress} />}
    </DialogFrame>
  );
}

function Outcome({ state, of }: { state: State; of: Exported["of"] }) {
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
