import type { PaginationResponse } from "@authorization-service/client";
import { DirectoryService } from "@authorization-service/client/directory";
import { type Client, createClient, type Transport } from "@connectrpc/connect";
import { lazy } from "react";
import type { Exported, Rows } from "../export/export-list.ts";
import { ExportOpener } from "../export/export-opener.tsx";
import { patiently } from "../export/pages.ts";
import { withinMaximum } from "../parts/failure.ts";
import { rowWords } from "../words/rows.ts";

const words = rowWords.export;
const load = () => import("../export/export-dialog.tsx");
const ExportDialog = lazy(async () => ({ default: (await load()).ExportDialog }));

/** The default maximum page size of a server. */
const usualMaximum = 1_000;

type Asked = { readonly limit: number; readonly pageToken: string; readonly skipTotal: boolean };
type Answer = { readonly pagination?: PaginationResponse | undefined };

/** How a list is read for its file. */
export type ListToExport<Row> = {
  readonly file: keyof Omit<typeof words, "promises">;
  readonly of: Exported["of"];
  /** A line of the file. */
  readonly lineOf: (row: Row) => readonly string[];
  /** One page, and its rows. */
  readonly read: (
    client: Client<typeof DirectoryService>,
    pagination: Asked,
    signal: AbortSignal,
  ) => Promise<Answer & { readonly rows: readonly Row[] }>;
};

type Props<Row> = {
  list: ListToExport<Row>;
  /** These rows alone, instead of the whole list. */
  only?: readonly Row[];
};

/** Exports all pages of a list of people, projects or organizations, or some of its rows. */
export function ExportNamedList<Row>({ list, only }: Props<Row>) {
  const { file, of, lineOf } = list;
  const exported: Exported = {
    file: words[file].file,
    of,
    header: words[file].columns,
    promises: only ? words.promises.slice(-1) : words.promises,
    rows: (transport, signal) => (only ? selectedRows(only.map(lineOf)) : rowsOf(transport, list, signal)),
  };
  return (
    <ExportOpener load={load} label={only && rowWords.exportSelected}>
      {(close) => <ExportDialog exported={exported} onClose={close} />}
    </ExportOpener>
  );
}

async function* selectedRows(rows: Rows["rows"]): AsyncGenerator<Rows> {
  yield { rows, total: rows.length };
}

async function* rowsOf<Row>(
  transport: Transport,
  { read, lineOf }: ListToExport<Row>,
  signal: AbortSignal,
): AsyncGenerator<Rows> {
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
    yield { rows: rows.map(lineOf), total };
  } while (pageToken !== "");
}
