import { useTransport } from "@connectrpc/connect-query";
import { useEffect, useRef, useState } from "react";
import { useLeaving } from "../parts/use-leaving.ts";
import { type Exported, exportList, fileName, type Progress } from "./export-list.ts";

export type ExportState =
  | { readonly phase: "ready"; readonly wasCancelled: boolean }
  | { readonly phase: "running"; readonly progress: Progress | undefined }
  | { readonly phase: "done"; readonly rows: number; readonly name: string }
  | { readonly phase: "failed"; readonly error: unknown };

/** An export of a list: its progress, and functions to start and cancel it. It ends with the component that uses it. */
export function useExport({ file, header, rows: rowsOf }: Exported) {
  const transport = useTransport();
  const [state, setState] = useState<ExportState>({ phase: "ready", wasCancelled: false });
  const running = useRef<AbortController>(undefined);

  useLeaving(() => running.current?.abort());
  useWarningBeforeLeaving(state.phase === "running");

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

  return { state, begin, cancel: () => running.current?.abort() };
}

/** Makes browsers ask before they close the tab, which would end the export. */
function useWarningBeforeLeaving(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isNeeded]);
}
