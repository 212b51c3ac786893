import type { MethodImpl } from "@connectrpc/connect";
import type { DirectoryService } from "../../gen/service/directory/v1/directory_service_pb.ts";
import { requireDirectoryPermission } from "../authorization/permissions.ts";
import type { DirectoryStore } from "../directory/store.ts";
import { callerOf } from "./caller.ts";
import { fromAdministrator, toScope } from "./changes.ts";
import { type PageLimits, requireLimit } from "./page-limits.ts";

export function listAdministrators(
  store: Pick<DirectoryStore, "listAdministrators">,
  limits: PageLimits,
): MethodImpl<typeof DirectoryService.method.listAdministrators> {
  return async ({ pagination, userId, scope }, context) => {
    requireDirectoryPermission(callerOf(context));
    const limit = requireLimit(pagination?.limit ?? 0, limits);
    const query = {
      userId: userId === "" ? undefined : userId,
      scope: scope.case === undefined ? undefined : toScope({ scope }),
      ascending: pagination?.asc ?? false,
      offset: pagination?.offset ?? 0n,
      limit,
    };
    const page = await store.listAdministrators(query, context.signal);
    return {
      pagination: { totalResult: page.total, appliedLimit: limit },
      administrators: page.administrators.map(fromAdministrator),
    };
  };
}
