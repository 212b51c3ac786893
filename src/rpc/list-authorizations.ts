import { toBinary } from "@bufbuild/protobuf";
import type { MethodImpl } from "@connectrpc/connect";
import {
  type AuthorizationsSearchFilter,
  AuthorizationsSearchFilterSchema,
} from "../../gen/service/authorization/v2/authorization_pb.ts";
import type { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { isInstant } from "../authorization/instant.ts";
import { type ListQuery, type Position, positionOf } from "../authorization/list.ts";
import { visibilityOf } from "../authorization/permissions.ts";
import type { AuthorizationStore } from "../authorization/store.ts";
import { callerOf } from "./caller.ts";
import { fromAuthorization, toFilter, toSortColumn } from "./messages.ts";
import { type PageLimits, requireLimit } from "./page-limits.ts";
import { listId, readPageToken, writePageToken } from "./page-token.ts";

export function listAuthorizations(
  store: Pick<AuthorizationStore, "list">,
  limits: PageLimits,
): MethodImpl<typeof AuthorizationService.method.listAuthorizations> {
  return async ({ pagination, sortingColumn, filters }, context) => {
    const limit = requireLimit(pagination?.limit ?? 0, limits);
    const sort = { column: toSortColumn(sortingColumn), ascending: pagination?.asc ?? false };
    const list = () => listId("authorizations", sort.column, sort.ascending, ...bytesOf(filters));
    const query = {
      filters: filters.map(toFilter),
      sort,
      after: readPageToken(pagination?.pageToken ?? "", list, (parts) => toPosition(sort, parts)),
      offset: pagination?.offset ?? 0n,
      limit,
      skipTotal: pagination?.skipTotal ?? false,
    };
    const { total, more, authorizations } = await store.list(visibilityOf(callerOf(context)), query, context.signal);
    const last = more ? authorizations.at(-1) : undefined;
    const end = last && positionOf(last, sort.column);
    return {
      $typeName: "service.authorization.v2.ListAuthorizationsResponse",
      pagination: {
        $typeName: "service.filter.v2.PaginationResponse",
        totalResult: total,
        appliedLimit: limit,
        nextPageToken:
          end === undefined ? "" : writePageToken({ list: list(), position: [end.key.toString(), end.id] }),
      },
      authorizations: authorizations.map(fromAuthorization),
    };
  };
}

/** In one order, because the order of filters makes no difference to what they match. */
function bytesOf(filters: readonly AuthorizationsSearchFilter[]): Uint8Array[] {
  return filters.map((filter) => toBinary(AuthorizationsSearchFilterSchema, filter)).sort(Buffer.compare);
}

type Sort = ListQuery["sort"];

function toPosition({ column }: Sort, [key, id, ...more]: string[]): Position | undefined {
  if (key === undefined || id === undefined || more.length > 0) return undefined;
  if (column === "id") return { key: id, id };
  if (column !== "creationDate" && column !== "changeDate") return { key, id };
  const instant = /^-?\d{1,18}$/.test(key) ? BigInt(key) : undefined;
  return instant !== undefined && isInstant(instant) ? { key: instant, id } : undefined;
}
