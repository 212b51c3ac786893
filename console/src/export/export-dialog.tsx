import { useTransport } from "@connectrpc/connect-query";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { DialogFrame } from "../changes/dialog-frame.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { useLeaving } from "../parts/use-leaving.ts";
import { exportWords as words } from "../words/export.ts";
import { type Exported, exportList, fileName, type Progress } from "./export-list.ts";

type Props = { exported: Exported; onClose: () => void };

/** Exports all pages of a list, once it is opened. Escape first cancels, then closes. */
export function ExportDialog({ exported: { file, of, header, rows: rowsOf }, onClose }: Props) {
  const transport = useTransport();
  const [progress, setProgress] = useState<Progress>();
  const running = useRef<AbortController>(undefined);
  const { mutate, data, error } = useMutation({
    mutationFn: async (signal: AbortSignal) => {
      const name = fileName(file, new Date());
      return { name, rows: await exportList(name, header, rowsOf(transport, signal), setProgress, signal) };
    },
  });
  const isRunning = data === undefined && error === null;

  function begin() {
    setProgress(undefined);
    running.current = new AbortController();
    mutate(running.current.signal);
  }
  const cancel = () => running.current?.abort();
  useLeaving(cancel);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, also when a view is shown again that was kept.
  useEffect(() => {
    if (running.current === undefined) begin();
  }, []);

  const isCancelled = running.current?.signal.aborted;
  return (
    <DialogFrame
      title={words.title}
      onClose={isRunning ? cancel : onClose}
      closeLabel={isRunning ? words.cancel : words.close}
      send={error === null ? undefined : { label: words.retry, isReady: true, run: begin }}
    >
      <div role="status">
        {isRunning && <p className="visually-hidden">{words.exporting}</p>}
        {data && (
          <p>
            {words.exported(data.rows, of)}
            <strong>{data.name}</strong>.
          </p>
        )}
        {error && <p>{isCancelled ? words.cancelled : words.notSaved}</p>}
      </div>
      {error && !isCancelled && <FailureNotice error={error} />}
      {isRunning && (
        <p className="stack">
          <progress
            aria-label={words.progressOf}
            {...(Number.isFinite(progress?.total) && { value: progress?.rows, max: progress?.total || 1 })}
          />
          {progress ? words.progress(progress.rows, progress.total) : words.first}
        </p>
      )}
    </DialogFrame>
  );
}
