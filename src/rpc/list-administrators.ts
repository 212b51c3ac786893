import type { MethodImpl } from "@connectrpc/connect";
import type { DirectoryService } from "../../gen/service/directory/v1/directory_service_pb.ts";
import { requireDirectoryPermission } from "../authorization/permissions.ts";
import type { AdministratorPosition, DirectoryStore } from "../directory/store.ts";
import { callerOf } from "./caller.ts";
import { fromAdministrator, toScope } from "./changes.ts";
import { type PageLimits, requireLimit } from "./page-limits.ts";
import { listId, readPageToken, writePageToken } from "./page-token.ts";

export function listAdministrators(
  store: Pick<DirectoryStore, "listAdministrators">,
  limits: PageLimits,
): MethodImpl<typeof DirectoryService.method.listAdministrators> {
  return async ({ pagination, userId, scope }, context) => {
    requireDirectoryPermission(callerOf(context));
    const limit = requireLimit(pagination?.limit ?? 0, limits);
    const ascending = pagination?.asc ?? false;
    const list = () => listId("administrators", ascending, userId, scope.case ?? "", String(scope.value));
    const query = {
      userId: userId === "" ? undefined : userId,
      scope: scope.case === undefined ? undefined : toScope({ scope }),
      ascending,
      after: readPageToken(pagination?.pageToken ?? "", list, toPosition),
      offset: pagination?.offset ?? 0n,
      limit,
      skipTotal: pagination?.skipTotal ?? false,
    };
    const { total, next, administrators } = await store.listAdministrators(query, context.signal);
    const position = next && [next.userId, String(next.kind), next.scopeId];
    return {
      pagination: {
        totalResult: total,
        appliedLimit: limit,
        nextPageToken: position === undefined ? "" : writePageToken({ list: list(), position }),
      },
      administrators: administrators.map(fromAdministrator),
    };
  };
}

function toPosition([userId, kind, scopeId, ...more]: string[]): AdministratorPosition | undefined {
  if (userId === undefined || scopeId === undefined || more.length > 0 || !/^[0-3]$/.test(kind ?? "")) return undefined;
  return { userId, kind: Number(kind), scopeId };
}
