import { inject } from "vitest";
import type { Tokens } from "./process.ts";

/**
 * What the service itself answers, for comparing what the page shows with it.
 *
 * @param method such as authorization.v2.AuthorizationService/ListAuthorizations
 */
export async function ask(as: keyof Tokens, method: string, request: object): Promise<any> {
  const { url, tokens } = inject("service");
  const response = await fetch(`${url}/service.${method}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${tokens[as]}`,
      "connect-protocol-version": "1",
      "content-type": "application/json",
    },
    body: JSON.stringify(request),
  });
  if (!response.ok) throw new Error(`${method} was answered with ${response.status}: ${await response.text()}`);
  return response.json();
}

/** The names of users in the order in which the service lists what is asked for. */
export async function listedUsers(as: keyof Tokens, request: object): Promise<string[]> {
  const { authorizations } = await ask(as, "authorization.v2.AuthorizationService/ListAuthorizations", request);
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
    ...named.map((one) => ({
      authorization: {
        id: one.id,
        userId: one.id,
        projectId: `${id}-till`,
        organizationId: id,
        roleKeys: one.roleKeys,
      },
    })),
  ];
  await ask("carol", "directory.v1.DirectoryService/ApplyChanges", { changes });
  return { organizationId: id, name, idOf: (user) => `${id}-${user.toLowerCase()}` };
}

/** The address of the table of a place. */
export function tableOf({ organizationId }: Place): string {
  return `/?filters=${encodeURIComponent(JSON.stringify([{ organizationId: { id: organizationId } }]))}`;
}

/** The assignment as the service has it; undefined when there is none. */
export async function assignment(id: string): Promise<any> {
  const filters = [{ authorizationIds: { ids: [id] } }];
  return (await ask("carol", "authorization.v2.AuthorizationService/ListAuthorizations", { filters }))
    .authorizations[0];
}
