/** Tells programs, Excel among them, that the text is UTF-8. It is the first thing in a file. */
export const byteOrderMark = "\uFEFF";

/** Lines of CSV as RFC 4180 has them: every cell in quotes, each line ended by CR LF. */
export function csvLines(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(quoted).join(",")}\r\n`).join("");
}

function quoted(cell: string): string {
  return `"${withoutFormulas(cell).replaceAll('"', '""')}"`;
}

/** = + - @ also as full-width, small, raised and lowered letters, which some programs take for the same. */
const signs = "=+\\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B\u207C\u207A\u207B\u208C\u208A\u208B\u2212";
/** Spaces and what cannot be seen: programs may drop it before they look for a sign. */
const unseen = "[\\s\\p{Z}\\p{C}]*";

const formula = new RegExp(`^(?=${unseen}[${signs}]|[\\t\\r\\n])`, "u");
const formulaBehindSeparator = new RegExp(`([,;|\\t\\r\\n](?:[\\s\\p{Z}\\p{C}"'])*)(?=[${signs}])`, "gu");

/**
 * Puts an apostrophe before what a spreadsheet would calculate (OWASP, "CSV Injection"): at the beginning of a cell, and
 * behind what may separate cells, for programs that split by another character than the comma or do not heed quotes.
 */
function withoutFormulas(cell: string): string {
  return cell.replace(formulaBehindSeparator, "$1'").replace(formula, "'");
}
