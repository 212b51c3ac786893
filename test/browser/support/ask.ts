import { inject } from "vitest";
import { post } from "../../support/call-headers.ts";
import type { Tokens } from "./process.ts";

const service = "authorization.v2.AuthorizationService";

/**
 * What the service itself answers, for comparing what the page shows with it.
 *
 * @param method such as authorization.v2.AuthorizationService/ListAuthorizations
 */
export async function ask(
  as: keyof Tokens | { readonly token: string },
  method: string,
  request: object,
): Promise<any> {
  const { url, tokens } = inject("service");
  const response = await post(url, typeof as === "string" ? tokens[as] : as.token, method, request);
  if (!response.ok) throw new Error(`${method} was answered with ${response.status}: ${await response.text()}`);
  return response.json();
}

/** Changes the directory, as carol. */
export function apply(changes: readonly object[], reason = ""): Promise<any> {
  return ask("carol", "directory.v1.DirectoryService/ApplyChanges", { changes, reason });
}

/** The names of users in the order in which the service lists what is asked for. */
export async function listedUsers(as: keyof Tokens, request: object): Promise<string[]> {
  const { authorizations } = await ask(as, `${service}/ListAuthorizations`, request);
  return authorizations.map(({ user }: any) => user.displayName || user.id);
}

/** An organization that one test has to itself, with a project "Till" and its roles, and an assignment of each user. */
export type Place = { readonly organizationId: string; readonly name: string; idOf(user: string): string };

let places = 0;

/**
 * Makes a place to change things in. The organizations of the demo world stay as they are, because other tests count on
 * them: what ann sees in Acme never changes.
 */
export async function makePlace(name: string, users: Readonly<Record<string, readonly string[]>>): Promise<Place> {
  places += 1;
  const id = `place-${process.pid}-${places}`;
  const named = Object.entries(users).map(([user, roleKeys]) => ({
    user,
    id: `${id}-${user.toLowerCase()}`,
    roleKeys,
  }));
  const roles = ["Seller", "Cashier", "Auditor"];
  const changes = [
    { organization: { id, name } },
    { project: { id: `${id}-till`, organizationId: id, name: "Till" } },
    ...roles.map((role) => ({ projectRole: { projectId: `${id}-till`, key: role.toLowerCase(), displayName: role } })),
    ...named.map((one) => ({
      user: { id: one.id, organizationId: id, preferredLoginName: `${one.id}@place.example`, displayName: one.user },
    })),
    ...named.map(({ id: userId, roleKeys }) => ({
      authorization: { id: userId, userId, projectId: `${id}-till`, organizationId: id, roleKeys },
    })),
  ];
  await apply(changes);
  return { organizationId: id, name, idOf: (user) => `${id}-${user.toLowerCase()}` };
}

/** The address of the table of a place. */
export function tableOf(place: Place): string {
  return tableWith(filtersOf(place));
}

export function tableWith(filters: readonly object[]): string {
  return `/assignments?filters=${encodeURIComponent(JSON.stringify(filters))}`;
}

/** What the service is asked for all assignments of a place. */
function filtersOf({ organizationId }: Place): object[] {
  return [{ organizationId: { id: organizationId } }];
}

/** The assignments of a place that match other filters, too. */
export async function assignmentsOf(place: Place, ...others: object[]): Promise<any[]> {
  const request = { filters: [...filtersOf(place), ...others], pagination: { limit: 1_000 } };
  return (await ask("carol", `${service}/ListAuthorizations`, request)).authorizations;
}

/** The assignment as the service has it; undefined when there is none. */
export async function assignment(id: string): Promise<any> {
  const filters = [{ authorizationIds: { ids: [id] } }];
  return (await ask("carol", `${service}/ListAuthorizations`, { filters })).authorizations[0];
}

/** Changes the roles of an assignment as another person would. */
export async function changeRoles(id: string, roleKeys: readonly string[]): Promise<void> {
  await ask("carol", `${service}/UpdateAuthorization`, { id, roleKeys });
}

export async function removeAssignment(id: string): Promise<void> {
  await ask("carol", `${service}/DeleteAuthorization`, { id });
}

export async function rolesOf(id: string): Promise<string[]> {
  return (await assignment(id)).roles.map(({ key }: any) => key);
}
