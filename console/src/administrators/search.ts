import { type Place, readPlace, readTexts, type Texts } from "../directory/search.ts";

/**
 * The list's parameters in the address: the ids of a person, a project grant, a project or an organization, and the name
 * of a role. An entry is in one scope, so one is asked for: the narrowest.
 */
export type AdministratorsSearch = Place & Texts<"user" | "organization" | "project" | "grant" | "role">;

const scopes = [
  ["grant", "projectGrantId"],
  ["project", "projectId"],
  ["organization", "organizationId"],
] as const;

export function readAdministratorsSearch(search: Record<string, unknown>): AdministratorsSearch {
  const read = readTexts(search, ["grant", "project", "organization"]);
  const [narrowest] = scopes.find(([name]) => read[name] !== undefined) ?? [];
  return {
    ...readTexts(search, ["user", "role"]),
    ...(narrowest && readTexts(search, [narrowest])),
    ...readPlace(search),
  };
}

/** Whose entries, in which role, and in which scope. */
export function withinOf({ user = "", role = "", ...places }: AdministratorsSearch) {
  const [name, kind] = scopes.find(([one]) => places[one] !== undefined) ?? [];
  const value = name && places[name];
  return { userId: user, role, ...(kind && value !== undefined && { scope: { case: kind, value } }) };
}
