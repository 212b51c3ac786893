import { addPeopleWords } from "../words/add-people.ts";

/** What a column of a pasted table has. */
export type Column = "displayName" | "givenName" | "familyName" | "loginName" | "id" | "none";

export type Recognized = {
  readonly columns: readonly Column[];
  /** Whether the first line names the columns. */
  readonly hasHeader: boolean;
};

/** Tells from a header, otherwise from the cells, what each column has. */
export function recognize(lines: readonly (readonly string[])[]): Recognized {
  const width = Math.max(0, ...lines.slice(0, 100).map((cells) => cells.length));
  const [first = []] = lines;
  const named = columnsOfHeader(first);
  const hasHeader = named.some((column) => column !== "none") && !first.some(isAddress);
  if (hasHeader) return { hasHeader, columns: Array.from({ length: width }, (_, at) => named[at] ?? "none") };
  return { hasHeader, columns: guessed(lines, width) };
}

/** A header never means the same column twice. */
function columnsOfHeader(cells: readonly string[]): Column[] {
  const taken = new Set<Column>();
  return cells.map((cell) => {
    const title = cell
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_.-]+/g, " ");
    const found = (Object.keys(addPeopleWords.headers) as (keyof typeof addPeopleWords.headers)[]).find((column) =>
      (addPeopleWords.headers[column] as readonly string[]).includes(title),
    );
    if (found === undefined || taken.has(found)) return "none";
    taken.add(found);
    return found;
  });
}

/** Without a header: the column with addresses has the login names, then names and ids follow from left to right. */
function guessed(lines: readonly (readonly string[])[], width: number): Column[] {
  const some = lines.slice(0, 100);
  const addresses = Array.from({ length: width }, (_, at) => some.filter((cells) => isAddress(cells[at] ?? "")).length);
  const most = Math.max(0, ...addresses);
  const login = most > 0 ? addresses.indexOf(most) : width > 1 ? 1 : 0;
  const others: Column[] = ["displayName", "id"];
  return Array.from({ length: width }, (_, at) => (at === login ? "loginName" : (others.shift() ?? "none")));
}

export function isAddress(cell: string): boolean {
  return /^([^<>]*<)?[^\s@<>]+@[^\s@<>]+>?$/.test(cell.trim());
}
