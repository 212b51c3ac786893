import type { AdministratorEntry, AdministratorRole, Scope } from "../../authorization/permissions.ts";

/** A row of administrators. At most one of the ids is set. */
export type EntryRow = {
  organization_id: string | null;
  project_id: string | null;
  project_grant_id: string | null;
  /** The organization that the scope is in, where it is known. */
  home_id?: string | null;
  roles: AdministratorRole[];
};

export function toEntry(row: EntryRow): AdministratorEntry {
  return { scope: toScope(row), roles: row.roles };
}

function toScope(row: EntryRow): Scope {
  if (row.organization_id !== null) return { kind: "organization", organizationId: row.organization_id };
  const home = row.home_id == null ? {} : { homeId: row.home_id };
  if (row.project_id !== null) return { kind: "project", projectId: row.project_id, ...home };
  if (row.project_grant_id !== null) return { kind: "projectGrant", projectGrantId: row.project_grant_id, ...home };
  return { kind: "instance" };
}
