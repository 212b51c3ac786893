import type { PaginationResponse } from "@authorization-service/client";
import { DirectoryService } from "@authorization-service/client/directory";
import { type Client, createClient, type Transport } from "@connectrpc/connect";
import { lazy } from "react";
import type { Exported, Rows } from "../export/export-list.ts";
import { ExportOpener } from "../export/export-opener.tsx";
import { patiently, withinMaximum } from "../export/pages.ts";
import { rowWords } from "../words/rows.ts";

const words = rowWords.export;
const load = () => import("../export/export-dialog.tsx");
const ExportDialog = lazy(async () => ({ default: (await load()).ExportDialog }));

/** The default maximum page size of a server. */
const usualMaximum = 1_000;

type Asked = { readonly limit: number; readonly pageToken: string; readonly skipTotal: boolean };
type Answer = { readonly pagination?: PaginationResponse | undefined };

/** How a list is read for its file. */
export type ListToExport = {
  readonly file: keyof Omit<typeof words, "promises">;
  readonly of: Exported["of"];
  /** One page, and its rows. */
  readonly read: (
    client: Client<typeof DirectoryService>,
    pagination: Asked,
    signal: AbortSignal,
  ) => Promise<Answer & { readonly rows: Rows["rows"] }>;
};

/** Exports all pages of a list of people, projects or organizations. */
export function ExportNamedList({ list: { file, of, read } }: { list: ListToExport }) {
  const exported: Exported = {
    file: words[file].file,
    of,
    header: words[file].columns,
    promises: words.promises,
    rows: (transport, signal) => rowsOf(transport, read, signal),
  };
  return <ExportOpener load={load}>{(close) => <ExportDialog exported={exported} onClose={close} />}</ExportOpener>;
}

async function* rowsOf(transport: Transport, read: ListToExport["read"], signal: AbortSignal): AsyncGenerator<Rows> {
  const client = createClient(DirectoryService, transport);
  const limited = withinMaximum(usualMaximum);
  let pageToken = "";
  let total: number | undefined;
  do {
    const page = { pageToken, skipTotal: total !== undefined };
    const { pagination, rows } = await limited((limit) =>
      patiently(() => read(client, { ...page, limit }, signal), signal),
    );
    total ??= pagination?.totalResult ?? 0;
    pageToken = pagination?.nextPageToken ?? "";
    yield { rows, total };
  } while (pageToken !== "");
}
