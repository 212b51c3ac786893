/** Something in quotation marks, or anything up to a comma or the end of the line. */
const piece = /[^\S\n]*"((?:[^"]|"")*)"[^\S\n]*(?=[,\n]|$)|[^,\n]+/g;

/**
 * The ids or keys of a text, one a line or separated by commas, none of them twice. One that has a comma itself stands in
 * quotation marks, as in CSV.
 */
export function listOf(text: string): readonly string[] {
  const pieces = [...text.matchAll(piece)].map(([whole, quoted]) => quoted?.replaceAll('""', '"') ?? whole.trim());
  return [...new Set(pieces.filter((one) => one !== ""))];
}

/** Such a text of a list, one a line. */
export function textOf(list: readonly string[]): string {
  return list.map((one) => (/[,\n"]|^\s|\s$/.test(one) ? `"${one.replaceAll('"', '""')}"` : one)).join("\n");
}
