import type { AssignmentsSearch } from "../assignments/search.ts";

export type Destination =
  | { readonly to: "/"; readonly search: AssignmentsSearch }
  | { readonly to: "/history" | "/overview"; readonly search: Record<never, never> };

// Where each kind of result leads. The one place to change when a thing gets a page of its own.

export function toPerson(id: string): Destination {
  return { to: "/", search: { filters: [{ userId: { id } }] } };
}

export function toProject(id: string): Destination {
  return { to: "/", search: { filters: [{ projectId: { id } }] } };
}

export function toOrganization(id: string): Destination {
  return { to: "/", search: { filters: [{ organizationId: { id } }] } };
}

export function toRole(projectId: string, key: string): Destination {
  return { to: "/", search: { filters: [{ projectId: { id: projectId } }, { roleKeys: { keys: [key] } }] } };
}

export function toAssignment(id: string): Destination {
  return { to: "/", search: { id } };
}

/** The table of the assignments whose users have every word in their names. */
export function toUsersNamed(names: readonly string[]): Destination {
  const method = "TEXT_FILTER_METHOD_CONTAINS_IGNORE_CASE";
  const filters = names.map((text) => ({
    anyOf: {
      filters: [
        { userDisplayName: { displayName: text, method } },
        { userPreferredLoginName: { loginName: text, method } },
      ],
    },
  }));
  return { to: "/", search: { filters } };
}

export const toAssignments: Destination = { to: "/", search: {} };
export const toHistory: Destination = { to: "/history", search: {} };
export const toOverview: Destination = { to: "/overview", search: {} };
export const toNewAssignment: Destination = { to: "/", search: { create: {} } };
