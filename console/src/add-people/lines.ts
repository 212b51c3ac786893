import { addPeopleWords } from "../words/add-people.ts";
import { type Format, isAddress, type List, readList, type TableLine } from "./columns.ts";

const words = addPeopleWords.problems;

type Named = "displayName" | "givenName" | "familyName" | "loginName" | "id";

/** What a column of people has. */
export type Column = Named | "none";

/** A person to add. */
export type Person = { readonly id: string; readonly displayName: string; readonly preferredLoginName: string };

/** A line of the list, with what keeps it from being added. */
export type Line = {
  readonly number: number;
  readonly person: Person;
  /** Whether the list gives the id. Otherwise, it was made here. */
  readonly hasOwnId: boolean;
  readonly problem: string | undefined;
};

type People = Pick<List<Named>, "columns"> & { readonly lines: readonly Line[] };

/** Without a header: the column with addresses has the login names, then names and ids follow from left to right. */
const people: Format<Named> = {
  headers: addPeopleWords.headers,
  guess(width, addresses) {
    const login = addresses ?? (width > 1 ? 1 : 0);
    const others: Column[] = ["displayName", "id"];
    return Array.from({ length: width }, (_, at) => (at === login ? "loginName" : (others.shift() ?? "none")));
  },
  prepare: oneAddressEach,
};

/**
 * Reads people from a typed or pasted list. `newId` makes the id of a line; it must return the same one each time, so a
 * request that is sent again adds no one twice.
 */
export function readPeople(text: string, newId: (line: number) => string, chosen: readonly Column[] = []): People {
  const { rows, columns } = readList(text, people, chosen);
  const read = rows.map(({ number, of, isBroken }) => {
    const cell = (column: Named) => of(column)[0] ?? "";
    const names = [cell("givenName"), cell("familyName")].filter(Boolean).join(" ");
    const own = cell("id");
    const login = readMailbox(cell("loginName"));
    const person: Person = {
      id: own || newId(number),
      displayName: cell("displayName") || names || login.name,
      preferredLoginName: login.address,
    };
    return { number, person, hasOwnId: own !== "", problem: isBroken ? words.quotes : problemOf(person) };
  });
  return { lines: withoutTwins(read), columns };
}

/** Recipients as mail programs copy them are in one line, with commas or semicolons between them. */
function oneAddressEach(table: readonly TableLine[]): readonly TableLine[] {
  const hasOnly = table.every(({ cells }) => cells.every((cell) => cell === "" || isAddress(cell)));
  if (!hasOnly || table.every(({ cells }) => cells.length === 1)) return table;
  const lines = table.flatMap(({ cells, isBroken }) =>
    cells.filter(Boolean).map((cell) => ({ cells: [cell], isBroken })),
  );
  return lines.map((line, at) => ({ ...line, number: at + 1 }));
}

/** Mail programs copy “Ann Keller <ann@acme.example>”, several of them with the name in quotation marks. */
export function readMailbox(cell: string): { readonly name: string; readonly address: string } {
  const [, name = "", address = cell] = /^"?([^<>"]*?)"?\s*<([^\s<>@]+@[^\s<>@]+)>$/.exec(cell) ?? [];
  return { name, address };
}

/** The rules of the service (docs/reference/directory.md), which would otherwise refuse all people together. */
function problemOf({ id, displayName, preferredLoginName }: Person): string | undefined {
  if (preferredLoginName === "") return words.noLoginName;
  if (/@.*[\s,;]|[\s,;].*@/s.test(preferredLoginName)) return words.notOnlyLoginName;
  const texts = { loginName: preferredLoginName, name: displayName, id };
  for (const [which, text] of Object.entries(texts) as [keyof typeof texts, string][]) {
    const problem = problemOfText(words.of[which], text);
    if (problem !== undefined) return problem;
  }
  return new TextEncoder().encode(id).length > 600 ? words.tooLong(words.of.id) : undefined;
}

/** What the service minds of any name or id. */
export function problemOfText(what: string, text: string): string | undefined {
  if (!text.isWellFormed() || text.includes("\0")) return words.unreadable(what);
  return [...text].length > 200 ? words.tooLong(what) : undefined;
}

/** Of two lines for the same person, the first one counts. */
function withoutTwins(lines: readonly Line[]): Line[] {
  const loginNames = new Map<string, number>();
  const ids = new Map<string, number>();
  return lines.map((line) => {
    if (line.problem !== undefined) return line;
    const loginName = line.person.preferredLoginName.toLowerCase();
    const [sameLoginName, sameId] = [loginNames.get(loginName), ids.get(line.person.id)];
    if (sameLoginName !== undefined) return { ...line, problem: words.sameLoginName(sameLoginName) };
    if (sameId !== undefined) return { ...line, problem: words.sameId(sameId) };
    loginNames.set(loginName, line.number);
    ids.set(line.person.id, line.number);
    return line;
  });
}
