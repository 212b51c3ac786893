import Papa from "papaparse";

/** A line of a pasted table, with its number from 1. */
export type TableLine = { readonly number: number; readonly cells: readonly string[]; readonly isBroken: boolean };

/** How a list is read: what its columns can have. */
export type Format<Column extends string> = {
  /** Titles of columns as spreadsheets and other products write them, in lower case. */
  readonly headers: Readonly<Record<Column, readonly string[]>>;
  /** What each column has, where no header says it. `login` is the column with addresses, if there is one. */
  readonly guess: (width: number, login: number | undefined) => readonly (Column | "none")[];
  readonly prepare?: (table: readonly TableLine[]) => readonly TableLine[];
};

/** A line of the list, below its header. */
export type Row<Column extends string> = TableLine & {
  /** What it has in the columns of a kind, from left to right. */
  readonly of: (column: Column) => readonly string[];
};

export type List<Column extends string> = {
  readonly rows: readonly Row<Column>[];
  readonly header: TableLine | undefined;
  readonly columns: readonly (Column | "none")[];
};

/**
 * Reads a typed or pasted list. A header says what each column has, otherwise the cells do.
 *
 * @param chosen what the columns have, where the reader has said it
 */
export function readList<Column extends string>(
  text: string,
  { headers, guess, prepare = (table) => table }: Format<Column>,
  chosen: readonly (Column | "none")[] = [],
): List<Column> {
  const table = prepare(readTable(text));
  const width = Math.max(0, ...table.slice(0, 100).map(({ cells }) => cells.length));
  const first = table[0];
  const named = columnsOfHeader(first?.cells ?? [], headers);
  const hasHeader = named.some((column) => column !== "none") && !first?.cells.some(isAddress);
  const found = hasHeader ? named : guess(width, columnOfAddresses(table, width));
  const columns = Array.from({ length: width }, (_, at) => chosen[at] ?? found[at] ?? "none");
  const rows = (hasHeader ? table.slice(1) : table).map((line) => ({
    ...line,
    of: (column: Column) => line.cells.filter((cell, at) => columns[at] === column && cell !== ""),
  }));
  return { rows, header: hasHeader ? first : undefined, columns };
}

/** A header never means the same column twice. */
function columnsOfHeader<Column extends string>(
  cells: readonly string[],
  headers: Format<Column>["headers"],
): (Column | "none")[] {
  const taken = new Set<Column>();
  return cells.map((cell) => {
    const title = cell
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_.-]+/g, " ");
    const found = (Object.keys(headers) as Column[]).find((column) => headers[column].includes(title));
    if (found === undefined || taken.has(found)) return "none";
    taken.add(found);
    return found;
  });
}

function columnOfAddresses(table: readonly TableLine[], width: number): number | undefined {
  const some = table.slice(0, 100);
  const addresses = Array.from(
    { length: width },
    (_, at) => some.filter(({ cells }) => isAddress(cells[at] ?? "")).length,
  );
  const most = Math.max(0, ...addresses);
  return most > 0 ? addresses.indexOf(most) : undefined;
}

export function isAddress(cell: string): boolean {
  return /^([^<>]*<)?[^\s@<>]+@[^\s@<>]+>?$/.test(cell.trim());
}

/** Reads cells separated by tabs, semicolons or commas, as spreadsheets copy and export them. Skips empty lines. */
function readTable(text: string): TableLine[] {
  const { data, errors } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ""), { delimiter: delimiterOf(text) });
  const broken = new Set(errors.filter(({ type }) => type === "Quotes").map(({ row }) => row));
  return data
    .map((cells, at) => ({ number: at + 1, cells: cells.map((cell) => cell.trim()), isBroken: broken.has(at) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""));
}

/** The lines as text with the separators of another text, which readList reads again. */
export function writeTable(table: readonly TableLine[], like: string): string {
  const cells = table.map((line) => [...line.cells]);
  return Papa.unparse(cells, { delimiter: delimiterOf(like), newline: "\n" });
}

/** A comma can be in a name, so it comes last. What is certain is not guessed: guesses fail if some lines have one cell. */
function delimiterOf(text: string): string {
  if (text.includes("\t")) return "\t";
  if (!text.includes(",")) return ";";
  const delimitersToGuess = [";", ","];
  return Papa.parse(text, { delimitersToGuess, skipEmptyLines: "greedy", preview: 10 }).meta.delimiter;
}
