import type { MethodImpl } from "@connectrpc/connect";
import type { DirectoryService } from "../../../gen/service/directory/v1/directory_service_pb.ts";
import { requireDirectoryPermission } from "../../authorization/permissions.ts";
import type { AdministratorPosition, DirectoryStore } from "../../directory/store.ts";
import { callerOf } from "../door/caller.ts";
import { fromAdministrator, toScope } from "../messages/changes.ts";
import { askedPage, listId, type PageLimits, type Positions } from "../messages/page.ts";

export function listAdministrators(
  store: Pick<DirectoryStore, "listAdministrators">,
  limits: PageLimits,
): MethodImpl<typeof DirectoryService.method.listAdministrators> {
  return async ({ pagination, userId, scope }, context) => {
    requireDirectoryPermission(callerOf(context));
    const ascending = pagination?.asc ?? false;
    const list = () => listId("administrators", ascending, userId, scope.case ?? "", String(scope.value));
    const { part, tell } = askedPage(pagination, limits, list, positions);
    const query = {
      ...part,
      userId: userId === "" ? undefined : userId,
      scope: scope.case === undefined ? undefined : toScope({ scope }),
      ascending,
    };
    const { total, next, administrators } = await store.listAdministrators(query, context.signal);
    return { pagination: tell(total, next), administrators: administrators.map(fromAdministrator) };
  };
}

const positions: Positions<AdministratorPosition> = {
  write: ({ userId, kind, scopeId }) => [userId, String(kind), scopeId],
  read([userId, kind, scopeId, ...more]) {
    if (userId === undefined || scopeId === undefined || more.length > 0 || !/^[0-3]$/.test(kind ?? "")) {
      return undefined;
    }
    return { userId, kind: Number(kind), scopeId };
  },
};
