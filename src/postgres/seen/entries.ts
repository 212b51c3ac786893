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
  const kind = kinds[Number(scope[0])];
  return { scope: kind === undefined ? instance : { kind, id: scope.slice(1) }, roles };
}

/** The kinds of scope, each at its number in the column `scope` (migrations/0002_callers.sql). */
const kinds: readonly Scope["kind"][] = ["instance", "organization", "project", "projectGrant"];

/** A scope as one text, as the column `scope` has it. */
export function textOfScope({ kind, id }: Scope): string {
  return `${kinds.indexOf(kind)}${id}`;
}
