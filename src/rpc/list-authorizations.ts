import type { MethodImpl } from "@connectrpc/connect";
import type { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { visibilityOf } from "../authorization/permissions.ts";
import { Refusal } from "../authorization/refusal.ts";
import type { AuthorizationStore } from "../authorization/store.ts";
import { callerOf } from "./caller.ts";
import { fromAuthorization, toFilter, toSortColumn } from "./messages.ts";

/** How many rows a page has when the request does not say, and how many it may ask for. */
export type PageLimits = { readonly defaultLimit: number; readonly maximumLimit: number };

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

function requireLimit(asked: number, { defaultLimit, maximumLimit }: PageLimits): number {
  if (asked > maximumLimit) {
    throw new Refusal("LIMIT_EXCEEDED", `pagination.limit: at most ${maximumLimit} rows can be asked for`, {
      limit: String(asked),
      maximum: String(maximumLimit),
    });
  }
  return asked === 0 ? defaultLimit : asked;
}
