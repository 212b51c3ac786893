import { type Format, type List, readList, type TableLine, writeTable } from "../add-people/columns.ts";
import { problemOfText, readMailbox } from "../add-people/lines.ts";
import { addPeopleWords } from "../words/add-people.ts";
import { assignListWords } from "../words/assign-list.ts";

const words = assignListWords.problems;

type Named = "person" | "project" | "organization" | "roles";

/** What a column has. */
export type Column = Named | "none";

/** A line of the list: who gets what where, in the words of the list. */
export type Line = {
  readonly number: number;
  readonly person: string;
  readonly project: string;
  readonly organization: string;
  readonly roles: readonly string[];
  readonly problem: string | undefined;
};

type Lines = Pick<List<Named>, "columns"> & {
  readonly lines: readonly Line[];
  /** The same list, with only some of its lines. */
  readonly keep: (isKept: (line: number) => boolean) => string;
};

/** Without a header: the person, from the column with addresses on, then the project, the organization and the roles. */
const format: Format<Named> = {
  headers: assignListWords.headers,
  guess: (width, addresses = 0) =>
    Array.from({ length: width }, (_, at) =>
      at < addresses ? "none" : ((["person", "project", "organization"] as const)[at - addresses] ?? "roles"),
    ),
};

/** Reads assignments from a typed or pasted list. */
export function readLines(text: string, chosen: readonly Column[] = []): Lines {
  const { rows, header, columns } = readList(text, format, chosen);
  const lines = rows.map(({ number, of, isBroken }): Line => {
    const [person = "", project = "", organization = ""] = (["person", "project", "organization"] as const).map(
      (column) => of(column)[0],
    );
    const line = {
      number,
      person: readMailbox(person).address,
      project,
      organization,
      roles: of("roles").flatMap(rolesIn),
    };
    return { ...line, problem: isBroken ? addPeopleWords.problems.quotes : problemOf(line) };
  });
  return {
    lines,
    columns,
    keep(isKept) {
      const kept: readonly TableLine[] = rows.filter(({ number }) => isKept(number));
      return kept.length === 0 ? "" : writeTable(header ? [header, ...kept] : kept, text);
    },
  };
}

function rolesIn(cell: string): string[] {
  return cell
    .split(/[,;|\n]/)
    .map((role) => role.trim())
    .filter(Boolean);
}

function problemOf({ roles, ...line }: Omit<Line, "number" | "problem">): string | undefined {
  for (const what of ["person", "project", "organization"] as const) {
    if (line[what] === "") return words.missing(words.of[what]);
    const problem = problemOfText(words.of[what], line[what]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
