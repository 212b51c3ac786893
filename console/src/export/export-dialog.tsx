import { useTransport } from "@connectrpc/connect-query";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { DialogFrame } from "../changes/dialog-frame.tsx";
import { announce } from "../parts/announcements.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { useLeaving } from "../parts/use-leaving.ts";
import { exportWords as words } from "../words/export.ts";
import { type Exported, exportList, fileName, type Progress } from "./export-list.ts";

type Props = { exported: Exported; onClose: () => void };

/** Exports all pages of a list, once it is opened. To close it is to cancel. */
export function ExportDialog({ exported: { file, of, header, rows: rowsOf }, onClose }: Props) {
  const transport = useTransport();
  const [progress, setProgress] = useState<Progress>();
  const running = useRef<AbortController>(undefined);
  const { mutate, error } = useMutation({
    mutationFn: async (signal: AbortSignal) => {
      const name = fileName(file, new Date());
      const rows = await exportList(name, header, rowsOf(transport, signal), setProgress, signal);
      announce({ text: words.exported(rows, of, name) });
      onClose();
    },
  });

  function begin() {
    setProgress(undefined);
    running.current = new AbortController();
    mutate(running.current.signal);
  }
  useLeaving(() => running.current?.abort());
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, also when a view is shown again that was kept.
  useEffect(() => {
    if (running.current === undefined) begin();
  }, []);

  return (
    <DialogFrame
      title={words.title}
      onClose={onClose}
      send={error === null ? undefined : { label: words.retry, isReady: true, run: begin }}
    >
      <div role="status">{error ? <p>{words.notSaved}</p> : <p className="visually-hidden">{words.exporting}</p>}</div>
      {error ? (
        <FailureNotice error={error} />
      ) : (
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
