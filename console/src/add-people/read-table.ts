import Papa from "papaparse";

/** A line of a pasted table, with its number from 1. */
export type TableLine = { readonly number: number; readonly cells: readonly string[]; readonly isBroken: boolean };

/** The lines as text, which readTable reads again. */
export function writeTable(table: readonly TableLine[], like: string): string {
  return Papa.unparse(
    table.map(({ cells }) => [...cells]),
    { delimiter: delimiterOf(like), newline: "\n" },
  );
}

/** Reads cells separated by tabs, semicolons or commas, as spreadsheets copy and export them. Skips empty lines. */
export function readTable(text: string): TableLine[] {
  const { data, errors } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ""), {
    delimiter: delimiterOf(text),
    skipEmptyLines: false,
  });
  const broken = new Set(errors.filter(({ type }) => type === "Quotes").map(({ row }) => row));
  return data
    .map((cells, at) => ({ number: at + 1, cells: cells.map((cell) => cell.trim()), isBroken: broken.has(at) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""));
}

/**
 * Spreadsheets copy tabs. Otherwise, it is the separator that is in every line. A comma can be in a name, so semicolons
 * come first.
 */
function delimiterOf(text: string): string {
  const [first = "", ...lines] = withoutQuoted(text)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "");
  const isInEach = (delimiter: string) => [first, ...lines].every((line) => line.includes(delimiter));
  return ["\t", ";", ","].find(isInEach) ?? ["\t", ";", ","].find((delimiter) => first.includes(delimiter)) ?? ",";
}

function withoutQuoted(text: string): string {
  return text.replaceAll(/"(?:[^"]|"")*"/g, "");
}
