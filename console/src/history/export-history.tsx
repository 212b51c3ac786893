import { lazy } from "react";
import { ExportOpener } from "../export/export-opener.tsx";
import type { HistorySearch } from "./search.ts";

const load = () => import("./export-history-dialog.tsx");
const ExportHistoryDialog = lazy(async () => ({ default: (await load()).ExportHistoryDialog }));

/** Exports everything that matches the filters, not only the page. */
export function ExportHistory({ search }: { search: HistorySearch }) {
  return <ExportOpener load={load}>{(close) => <ExportHistoryDialog search={search} onClose={close} />}</ExportOpener>;
}
