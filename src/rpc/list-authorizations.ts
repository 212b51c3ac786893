import type { MethodImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { visibilityOf } from "../authorization/permissions.ts";
import type { AuthorizationStore } from "../authorization/store.ts";
import { callerOf } from "./caller.ts";
import { fromAuthorization, toFilter, toSortColumn } from "./messages.ts";
import { type PageLimits, requireLimit } from "./page-limits.ts";

export function listAuthorizations(
  store: Pick<AuthorizationStore, "list">,
  limits: PageLimits,
): MethodImpl<typeof AuthorizationService.method.listAuthorizations> {
  return async ({ pagination, sortingColumn, filters }, context) => {
    const limit = requireLimit(pagination?.limit ?? 0, limits);
    const query = {
      filters: filters.map(toFilter),
      sort: { column: toSortColumn(sortingColumn), ascending: pagination?.asc ?? false },
      offset: pagination?.offset ?? 0n,
      limit,
    };
    const page = await store.list(visibilityOf(callerOf(context)), query, context.signal);
    return {
      pagination: { totalResult: page.total, appliedLimit: limit },
      authorizations: page.authorizations.map(fromAuthorization),
    };
  };
}
