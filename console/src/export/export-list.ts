import type { Transport } from "@connectrpc/connect";

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

/** The byte order mark at the start of a file. It tells programs such as Excel that the text is UTF-8. */
export const byteOrderMark = "\uFEFF";

/** Lines of CSV as in RFC 4180: every cell in quotes, and each line ended by CR LF. */
export function csvLines(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(quoted).join(",")}\r\n`).join("");
}

function quoted(cell: string): string {
  return `"${withoutFormulas(cell).replaceAll('"', '""')}"`;
}

/** = + - @, including full-width, small, superscript and subscript forms, which some programs treat the same. */
const signs = "=+\\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B\u207C\u207A\u207B\u208C\u208A\u208B\u2212";
/** Spaces and invisible characters, which programs may drop before they look for a sign. */
const unseen = "[\\s\\p{Z}\\p{C}]*";

const formula = new RegExp(`^(?=${unseen}[${signs}]|[\\t\\r\\n])`, "u");
const formulaBehindSeparator = new RegExp(`([,;|\\t\\r\\n](?:[\\s\\p{Z}\\p{C}"'])*)(?=[${signs}])`, "gu");

/**
 * Puts an apostrophe before text that a spreadsheet would take for a formula (OWASP, "CSV Injection"): at the beginning
 * of a cell, and after characters that may separate cells, for programs that use other separators or ignore quotes.
 */
function withoutFormulas(cell: string): string {
  return cell.replace(formulaBehindSeparator, "$1'").replace(formula, "'");
}
