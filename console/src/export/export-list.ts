import type { Transport } from "@connectrpc/connect";
import { byteOrderMark, csvLines } from "./csv.ts";

/** What a file has: its name, its columns, and its rows as they arrive. */
export type Exported = {
  /** The beginning of the file's name. */
  readonly file: string;
  /** The words for one row and for several. */
  readonly of: readonly [one: string, several: string];
  readonly header: readonly string[];
  readonly rows: (transport: Transport, signal: AbortSignal) => AsyncIterable<Rows>;
};

export type Rows = {
  readonly rows: readonly (readonly string[])[];
  /** How many rows there were when the first ones were read. */
  readonly total: number;
};

export type Progress = { readonly rows: number; readonly total: number };

/** Collects a list in a file as its pages arrive, and lets the browser download the file when it is complete. */
export async function exportList(
  name: string,
  header: readonly string[],
  pages: AsyncIterable<Rows>,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<number> {
  // Browsers can keep blobs on disk, while the text of a million rows would have to stay in memory.
  const parts = [new Blob([byteOrderMark + csvLines([header])])];
  let written = 0;
  for await (const { rows, total } of pages) {
    parts.push(new Blob([csvLines(rows)]));
    written += rows.length;
    onProgress({ rows: written, total: Math.max(written, total) });
  }
  signal.throwIfAborted();
  download(new Blob(parts, { type: "text/csv" }), name);
  return written;
}

function download(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // By then, the download has begun. A browser that asks where to save still reads the blob.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Such as `assignments-2026-11-21T22-04-05Z.csv`: in UTC, without the colons that some systems forbid. */
export function fileName(file: string, now: Date): string {
  return `${file}-${now.toISOString().slice(0, 19).replaceAll(":", "-")}Z.csv`;
}
