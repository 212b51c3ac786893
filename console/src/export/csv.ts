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
