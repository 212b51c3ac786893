import { byteOrderMark, csvLines } from "./csv.ts";
import type { Destination } from "./destination.ts";
import type { Page } from "./pages.ts";
import { header, rowOf } from "./rows.ts";

export type Progress = { readonly rows: number; readonly total: number };

/** Writes a list to a file as its pages arrive. Resolves to the number of rows. If it fails, nothing is left behind. */
export async function exportList(
  pages: AsyncIterable<Page>,
  destination: Destination,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<number> {
  let rows = 0;
  try {
    await destination.write(byteOrderMark + csvLines([header]));
    for await (const { authorizations, total } of pages) {
      await destination.write(csvLines(authorizations.map(rowOf)));
      rows += authorizations.length;
      onProgress({ rows, total: Math.max(rows, total) });
    }
    signal.throwIfAborted();
    await destination.finish();
    return rows;
  } catch (error) {
    await destination.discard();
    throw error;
  }
}

/** Such as `assignments-2026-11-21T22-04-05Z.csv`: in UTC, without the colons that some systems forbid. */
export function fileName(now: Date): string {
  return `assignments-${now.toISOString().slice(0, 19).replaceAll(":", "-")}Z.csv`;
}
