import type { MethodImpl } from "@connectrpc/connect";
import type { AdministratorEntry, DirectoryService } from "../../../gen/service/directory/v1/directory_service_pb.ts";
import type { AdministratorPosition, DirectoryStore, NamedEntry } from "../../directory/store.ts";
import { callerOf } from "../call.ts";
import { fromScope } from "../messages/access.ts";
import { fromUser } from "../messages/authorizations.ts";
import { fromAdministrator, toScope } from "../messages/changes.ts";
import { askedPage, listId, type PageLimits, type Positions } from "../messages/page.ts";

export function listAdministrators(
  store: Pick<DirectoryStore, "listAdministrators">,
  limits: PageLimits,
): MethodImpl<typeof DirectoryService.method.listAdministrators> {
  return async ({ pagination, userId, scope, role }, context) => {
    const ascending = pagination?.asc ?? false;
    // Without a role, page tokens are those of earlier versions.
    const ofRole = role === "" ? [] : [role];
    const list = () => listId("administrators", ascending, userId, scope.case ?? "", String(scope.value), ...ofRole);
    const { part, tell } = askedPage(pagination, limits, list, positions);
    const query = {
      ...part,
      userId: userId === "" ? undefined : userId,
      scope: scope.case === undefined ? undefined : toScope({ scope }),
      role: role === "" ? undefined : role,
      ascending,
    };
    const { total, next, entries } = await store.listAdministrators(callerOf(context), query, context.signal);
    return {
      pagination: tell(total, next),
      administrators: entries.map(({ user, ...entry }) => fromAdministrator({ userId: user.id, ...entry })),
      entries: entries.map(fromEntry),
    };
  };
}

/** The message is complete, so the library copies nothing into it. */
function fromEntry({ user, scope, roles }: NamedEntry): AdministratorEntry {
  return {
    $typeName: "service.directory.v1.AdministratorEntry",
    user: fromUser(user),
    scope: fromScope(scope),
    roles: roles.toSorted(),
  };
}

const positions: Positions<AdministratorPosition, [string, string, string]> = {
  count: 3,
  write: ({ userId, kind, scopeId }) => [userId, String(kind), scopeId],
  read: ([userId, kind, scopeId]) => (/^[0-3]$/.test(kind) ? { userId, kind: Number(kind), scopeId } : undefined),
};
