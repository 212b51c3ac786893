import {
  type AdministratorEntry,
  type AdministratorRole,
  instance,
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

/** The kinds of scope, each at its number in the column `scope` (migrations/0002_callers.sql). */
const kinds: readonly Scope["kind"][] = ["instance", "organization", "project", "projectGrant"];

/** A scope as one text, as the column `scope` has it. */
export function textOfScope({ kind, id }: Scope): string {
  return `${kinds.indexOf(kind)}${id}`;
}

function toScope(text: string): Scope {
  const kind = kinds[Number(text[0])];
  return kind === undefined ? instance : { kind, id: text.slice(1) };
}
