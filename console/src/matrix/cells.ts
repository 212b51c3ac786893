import type { Authorization, Organization, User } from "@authorization-service/client";
import type { ListedProject } from "@authorization-service/client/directory";
import { type AssignmentsSearch, readAssignmentsSearch } from "../assignments/search.ts";
import { newRow, slotOf } from "../changes/new-row.ts";
import { appliedTo, differenceOf, isNoDifference, keysOf, type RoleDifference } from "../changes/role-difference.ts";
import { readTexts } from "../directory/search.ts";
import type { Exported } from "../export/export-list.ts";
import { nameOf } from "../parts/role-chips.tsx";
import { lackOf } from "../parts/state-badge.tsx";
import { locale } from "../words/language/language.ts";
import { matrixWords as words } from "../words/matrix.ts";
import { pageWords } from "../words/pages.ts";

/** The address of a matrix: of a project with its roles, or of an organization with its projects. */
export type MatrixSearch = Pick<AssignmentsSearch, "filters" | "sort" | "asc"> & {
  readonly project?: string;
  readonly organization?: string;
};

/** Sorted by people's names, unless the address says otherwise. */
export function readMatrixSearch(search: Record<string, unknown>): MatrixSearch {
  const { filters, sort, asc } = readAssignmentsSearch(search);
  return {
    ...readTexts(search, ["project", "organization"]),
    ...(filters !== undefined && { filters }),
    ...(sort === undefined ? { sort: "user", asc: true } : { sort, ...(asc && { asc }) }),
  };
}

/** A role of a project, or a project in an organization. */
export type Column = {
  readonly id: string;
  readonly name: string;
  readonly project: ListedProject;
};

/** A person in an organization, with the assignments by project. */
export type Row = {
  readonly key: string;
  readonly user: User;
  readonly organization: Organization;
  readonly held: ReadonlyMap<string, Authorization>;
};

/** The assignments whose roles are to be different, by slot. */
export type Edits = ReadonlyMap<string, { readonly row: Authorization; readonly difference: RoleDifference }>;

const noDifference: RoleDifference = { added: [], removed: [] };

/** The rows in the order of the assignments. */
export function rowsOf(assignments: readonly Authorization[]): Row[] {
  const rows = new Map<string, Row & { held: Map<string, Authorization> }>();
  for (const one of assignments) {
    const { user, organization, project } = one;
    if (user === undefined || organization === undefined || project === undefined) continue;
    const key = JSON.stringify([user.id, organization.id]);
    const row = rows.get(key) ?? { key, user, organization, held: new Map() };
    row.held.set(project.id, one);
    rows.set(key, row);
  }
  return [...rows.values()];
}

/** The assignment of a cell: the existing one, or a new one without roles. */
export function assignmentAt(row: Row, project: ListedProject): Authorization {
  return row.held.get(project.id) ?? newRow(row.user, { project, organization: row.organization });
}

/** The keys that the assignment of a cell is to have. */
export function wantedAt(edits: Edits, assignment: Authorization): ReadonlySet<string> {
  return appliedTo(keysOf(assignment), edits.get(slotOf(assignment))?.difference ?? noDifference);
}

export function withEdit(edits: Edits, row: Authorization, wanted: ReadonlySet<string>): Edits {
  const next = new Map(edits);
  const difference = differenceOf(keysOf(row), wanted);
  if (isNoDifference(difference)) next.delete(slotOf(row));
  else next.set(slotOf(row), { row, difference });
  return next;
}

/** What is left to be done after a batch, based on what the assignments are now. */
export function leftOf(edits: Edits, left: readonly Authorization[]): Edits {
  const difference = (row: Authorization) => edits.get(slotOf(row))?.difference ?? noDifference;
  return new Map(left.map((row) => [slotOf(row), { row, difference: difference(row) }]));
}

export function roleColumns(project: ListedProject): Column[] {
  return project.roles
    .toSorted((one, other) => compare(one.group, other.group) || compare(nameOf(one), nameOf(other)))
    .map((role) => ({ id: role.key, name: nameOf(role), project }));
}

export function projectColumns(projects: readonly ListedProject[]): Column[] {
  return projects.map((project) => ({ id: project.id, name: project.name || project.id, project }));
}

/** Whether the role of a column can be given in the organization of a row. Grants beyond those listed may allow it, too. */
export function isAssignable({ organization }: Row, { id, project }: Column): boolean {
  if (project.organizationId === organization.id) return true;
  const grant = project.grants.find((one) => one.organization?.id === organization.id);
  return grant?.roleKeys.includes(id) ?? project.grants.length < project.totalGrants;
}

/** What a cell holds, with changes that are not sent yet. */
export function cellOf(row: Row, { id, project }: Column, isOfRoles: boolean, edits: Edits) {
  const assignment = assignmentAt(row, project);
  const wanted = wantedAt(edits, assignment);
  const isChosen = isOfRoles ? wanted.has(id) : wanted.size > 0;
  const known = new Map([...assignment.roles, ...project.roles].map((role) => [role.key, nameOf(role)]));
  return {
    assignment,
    wanted,
    isChosen,
    /** The names of the roles, where the cell is about all of a project. */
    names: isOfRoles ? [] : [...wanted].map((key) => known.get(key) ?? key).toSorted(compare),
    lack: isChosen ? lackOf(assignment) : undefined,
  };
}

/** The file with the rows as they are shown, with changes that are not sent yet, and with all columns that were found. */
export function matrixFile(
  rows: readonly Row[],
  columns: readonly Column[],
  isOfRoles: boolean,
  edits: Edits,
): Exported {
  function textOf(row: Row, column: Column): string {
    const { isChosen, names, lack } = cellOf(row, column, isOfRoles, edits);
    const text = isOfRoles ? isChosen && words.yes : names.join("; ");
    return text && lack ? `${lack}: ${text}` : text || "";
  }
  const lines = rows.map((row) => [
    row.user.displayName,
    row.user.preferredLoginName,
    row.organization.name,
    ...columns.map((column) => textOf(row, column)),
  ]);
  return {
    file: "matrix",
    of: pageWords.people,
    header: [words.person, words.loginName, words.organization, ...columns.map(({ name }) => name)],
    async *rows() {
      yield { rows: lines, total: lines.length };
    },
  };
}

const { compare } = new Intl.Collator(locale, { numeric: true });
