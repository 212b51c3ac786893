import { scopeOf } from "./change.ts";
import { type ListRequest, pageOf, paginationOf } from "./list.ts";
import { compareScopes, holdsEverywhere, nameOf } from "./permissions.ts";
import { Refused } from "./refused.ts";
import { type Administrator, compareTexts, keyOf, type Scope, type World } from "./world.ts";

export type ListAdministratorsRequest = {
  pagination?: ListRequest["pagination"];
  userId?: string;
} & ({ [none in never]: never } | Scope);

/** The body the service is to answer with. */
export function listAdministrators(world: World, callerId: string, request: ListAdministratorsRequest): object {
  if (!holdsEverywhere(world, callerId, "directory")) {
    throw new Refused("PERMISSION_DENIED", { permission: nameOf("directory") });
  }
  const { offset, limit, asc, skipTotal } = pageOf(request.pagination);
  const { pagination: _, userId = "", ...scope } = request;
  const rows = [...world.administrators.values()]
    .filter((entry) => userId === "" || entry.userId === userId)
    .filter((entry) => Object.keys(scope).length === 0 || keyOf(entry.scope) === keyOf(scopeOf(scope as Scope)))
    .sort((one, other) => compareEntries(one, other) * (asc ? 1 : -1));
  return {
    pagination: paginationOf(rows.length, offset, limit, skipTotal),
    administrators: rows
      .slice(offset, offset + limit)
      .map((entry) => ({ userId: entry.userId, ...entry.scope, roles: entry.roles })),
  };
}

/** By user, then the instance before organizations, projects and project grants, then the id of the scope. */
function compareEntries(one: Administrator, other: Administrator): number {
  return compareTexts(one.userId, other.userId) || compareScopes(one.scope, other.scope);
}
