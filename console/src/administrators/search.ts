import { type Place, readPlace, readTexts } from "../directory/search.ts";

/** The list's parameters in the address: ids, and the name of a role. An entry is in one scope, so one is asked for. */
export type AdministratorsSearch = Place & {
  readonly user?: string;
  readonly organization?: string;
  readonly project?: string;
  /** A project grant. */
  readonly grant?: string;
  readonly role?: string;
};

export function readAdministratorsSearch(search: Record<string, unknown>): AdministratorsSearch {
  const { organization, project, grant, ...read } = readTexts(search, [
    "user",
    "organization",
    "project",
    "grant",
    "role",
  ]);
  return {
    ...read,
    ...(grant !== undefined ? { grant } : project !== undefined ? { project } : organization && { organization }),
    ...readPlace(search),
  };
}

/** Whose entries, in which role, and in which scope. */
export function withinOf({ user = "", role = "", organization, project, grant }: AdministratorsSearch) {
  const within = { userId: user, role };
  if (grant !== undefined) return { ...within, scope: { case: "projectGrantId" as const, value: grant } };
  if (project !== undefined) return { ...within, scope: { case: "projectId" as const, value: project } };
  if (organization === undefined) return within;
  return { ...within, scope: { case: "organizationId" as const, value: organization } };
}
