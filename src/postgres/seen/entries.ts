import {
  type AdministratorEntry,
  type AdministratorRole,
  idOfScope,
  type Scope,
} from "../../authorization/permissions.ts";

/** A row of administrators. */
export type EntryRow = {
  /** The kind and the id of the scope, as the column `scope` has them. */
  scope: string;
  roles: AdministratorRole[];
};

export function toEntry({ scope, roles }: EntryRow): AdministratorEntry {
  return { scope: toScope(scope), roles };
}

/** All entries of a user with the same roles. */
export type EntryRows = { scopes: string[]; roles: AdministratorRole[] };

export function toEntries(rows: readonly EntryRows[]): AdministratorEntry[] {
  return rows.flatMap(({ scopes, roles }) => scopes.map((scope) => toEntry({ scope, roles })));
}

/** The kinds of scope, each at its number in the column `scope` (migrations/0002_callers.sql). */
const kinds: readonly Scope["kind"][] = ["instance", "organization", "project", "projectGrant"];

/** A scope as one text, as the column `scope` has it. */
export function textOfScope(scope: Scope): string {
  return `${kinds.indexOf(scope.kind)}${idOfScope(scope)}`;
}

function toScope(text: string): Scope {
  const [kind, id] = [kinds[Number(text[0])], text.slice(1)];
  switch (kind) {
    case "organization":
      return { kind, organizationId: id };
    case "project":
      return { kind, projectId: id };
    case "projectGrant":
      return { kind, projectGrantId: id };
    default:
      return { kind: "instance" };
  }
}
