import { mayKnowOf, named } from "./caller.ts";
import { scopeOf } from "./change.ts";
import { type ListRequest, pageOf, paginationOf } from "./list.ts";
import { compareScopes } from "./permissions.ts";
import { type Administrator, compareTexts, keyOf, type Scope, type World } from "./world.ts";

export type ListAdministratorsRequest = {
  pagination?: ListRequest["pagination"];
  userId?: string;
  role?: string;
} & ({ [none in never]: never } | Scope);

/** The body the service is to answer with. */
export function listAdministrators(world: World, callerId: string, request: ListAdministratorsRequest): object {
  const { offset, limit, asc, skipTotal } = pageOf(request.pagination);
  const { pagination: _, userId = "", role = "", ...scope } = request;
  const rows = [...world.administrators.values()]
    .filter((entry) => entry.userId === callerId || mayKnowOf(world, callerId, entry.scope))
    .filter((entry) => role === "" || entry.roles.includes(role))
    .filter((entry) => userId === "" || entry.userId === userId)
    .filter((entry) => Object.keys(scope).length === 0 || keyOf(entry.scope) === keyOf(scopeOf(scope as Scope)))
    .sort((one, other) => compareEntries(one, other) * (asc ? 1 : -1));
  const page = rows.slice(offset, offset + limit);
  return {
    pagination: paginationOf(rows.length, offset, limit, skipTotal),
    administrators: page.map((entry) => ({ userId: entry.userId, ...entry.scope, roles: [...entry.roles].sort() })),
    entries: page.map((entry) => ({
      user: world.users.get(entry.userId),
      scope: named(world, entry.scope),
      roles: [...entry.roles].sort(),
    })),
  };
}

/** By user, then the instance before organizations, projects and project grants, then the id of the scope. */
function compareEntries(one: Administrator, other: Administrator): number {
  return compareTexts(one.userId, other.userId) || compareScopes(one.scope, other.scope);
}
