import type { ListedProject } from "@authorization-service/client/directory";
import type { AssignmentsSearch } from "../assignments/search.ts";

export type Destination =
  | { readonly to: "/assignments"; readonly search: AssignmentsSearch }
  | { readonly to: "/person" | "/offboard" | "/project" | "/organization"; readonly search: { readonly id: string } }
  | { readonly to: "/account"; readonly search: { readonly open: "new-token" } }
  | { readonly to: "/compare"; readonly search: { readonly from: string } }
  | { readonly to: "/matrix"; readonly search: { readonly project: string } }
  | { readonly to: "/people" | "/projects"; readonly search: { readonly open: true } }
  | { readonly to: "/role"; readonly search: { readonly project: string; readonly key: string } }
  | { readonly to: PagePath; readonly search: Record<never, never> };

type PagePath =
  | "/first-steps"
  | "/assign-list"
  | "/compare"
  | "/people"
  | "/projects"
  | "/organizations"
  | "/administrators"
  | "/account"
  | "/history"
  | "/overview";

// Where each kind of result leads.

export function toPerson(id: string): Destination {
  return { to: "/person", search: { id } };
}

export function toProject(id: string): Destination {
  return { to: "/project", search: { id } };
}

export function toOrganization(id: string): Destination {
  return { to: "/organization", search: { id } };
}

export function toRole(projectId: string, key: string): Destination {
  return { to: "/role", search: { project: projectId, key } };
}

export function toAssignment(id: string): Destination {
  return { to: "/assignments", search: { id } };
}

export function toPage(to: PagePath): Destination {
  return { to, search: {} };
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
  return { to: "/assignments", search: { filters } };
}

export function toComparison(from: string): Destination {
  return { to: "/compare", search: { from } };
}

export function toOffboarding(id: string): Destination {
  return { to: "/offboard", search: { id } };
}

export function toMatrix(project: string): Destination {
  return { to: "/matrix", search: { project } };
}

/** The dialog for a new assignment, with everything picked. */
export function toGiving(user: string, place: ListedProject, role: string): Destination {
  const organization = place.assignableIn?.id ?? place.organizationId;
  return { to: "/assignments", search: { create: { user, project: place.id, organization, role } } };
}

export const toAssignments: Destination = { to: "/assignments", search: {} };
export const toHistory = toPage("/history");
export const toNewAssignment: Destination = { to: "/assignments", search: { create: {} } };
export const toNewPerson: Destination = { to: "/people", search: { open: true } };
export const toNewProject: Destination = { to: "/projects", search: { open: true } };
export const toNewToken: Destination = { to: "/account", search: { open: "new-token" } };
