import type { Transport } from "@connectrpc/connect";
import { byteOrderMark, csvLines } from "./csv.ts";
import type { Destination } from "./destination.ts";

/** What a file has: its name, its columns, and its rows as they arrive. */
export type Exported = {
  /** The beginning of the file's name. */
  readonly file: string;
  /** The words for one row and for several. */
  readonly of: readonly [one: string, several: string];
  readonly header: readonly string[];
  /** What people can rely on about the file. */
  readonly promises: readonly string[];
  readonly rows: (transport: Transport, signal: AbortSignal) => AsyncIterable<Rows>;
};

export type Rows = {
  readonly rows: readonly (readonly string[])[];
  /** How many rows there were when the first ones were read. */
  readonly total: number;
};

export type Progress = { readonly rows: number; readonly total: number };

/** Writes a list to a file as its pages arrive. Resolves to the number of rows. If it fails, nothing is left behind. */
export async function exportList(
  header: readonly string[],
  pages: AsyncIterable<Rows>,
  destination: Destination,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<number> {
  let written = 0;
  try {
    await destination.write(byteOrderMark + csvLines([header]));
    for await (const { rows, total } of pages) {
      await destination.write(csvLines(rows));
      written += rows.length;
      onProgress({ rows: written, total: Math.max(written, total) });
    }
    signal.throwIfAborted();
    await destination.finish();
    return written;
  } catch (error) {
    await destination.discard();
    throw error;
  }
}

/** Such as `assignments-2026-11-21T22-04-05Z.csv`: in UTC, without the colons that some systems forbid. */
export function fileName(file: string, now: Date): string {
  return `${file}-${now.toISOString().slice(0, 19).replaceAll(":", "-")}Z.csv`;
}
