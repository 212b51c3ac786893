/** A text in quotation marks, or anything up to a comma or the end of the line. */
const piece = /[^\S\n]*"((?:[^"]|"")*)"[^\S\n]*(?=[,\n]|$)|[^,\n]+/g;

/**
 * Reads ids or keys from a text, one per line or separated by commas, and drops duplicates. One with a comma must be in
 * quotation marks, as in CSV.
 */
export function listOf(text: string): readonly string[] {
  const pieces = [...text.matchAll(piece)].map(([whole, quoted]) => quoted?.replaceAll('""', '"') ?? whole.trim());
  return [...new Set(pieces.filter((one) => one !== ""))];
}

/** Writes a list as such a text, one per line. */
export function textOf(list: readonly string[]): string {
  return list.map((one) => (/[,\n"]|^\s|\s$/.test(one) ? `"${one.replaceAll('"', '""')}"` : one)).join("\n");
}
