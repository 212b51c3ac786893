import type { MethodImpl } from "@connectrpc/connect";
import { AuthorizationsSearchFilterSchema } from "../../../gen/service/authorization/v2/authorization_pb.ts";
import type { AuthorizationService } from "../../../gen/service/authorization/v2/authorization_service_pb.ts";
import type { Position, SortColumn } from "../../authorization/list.ts";
import { visibilityOf } from "../../authorization/permissions.ts";
import type { AuthorizationStore } from "../../authorization/store.ts";
import { callerOf } from "../call.ts";
import { fromAuthorization, toFilter, toSortColumn } from "../messages/authorizations.ts";
import { askedPage, bytesOf, listId, type PageLimits, type Positions, readInstant } from "../messages/page.ts";

export function listAuthorizations(
  store: Pick<AuthorizationStore, "list">,
  limits: PageLimits,
): MethodImpl<typeof AuthorizationService.method.listAuthorizations> {
  return async ({ pagination, sortingColumn, filters }, context) => {
    const sort = { column: toSortColumn(sortingColumn), ascending: pagination?.asc ?? false };
    const bytes = () => bytesOf(AuthorizationsSearchFilterSchema, filters);
    const list = () => listId("authorizations", sort.column, sort.ascending, ...bytes());
    const { part, tell } = askedPage(pagination, limits, list, positionsBy(sort.column));
    const query = { ...part, filters: filters.map(toFilter), sort };
    const { total, next, authorizations } = await store.list(visibilityOf(callerOf(context)), query, context.signal);
    return {
      $typeName: "service.authorization.v2.ListAuthorizationsResponse",
      pagination: tell(total, next),
      authorizations: authorizations.map(fromAuthorization),
    };
  };
}

const dates: ReadonlySet<SortColumn> = new Set(["creationDate", "changeDate", "expirationDate"]);

function positionsBy(column: SortColumn): Positions<Position> {
  return {
    count: 2,
    write: ({ key, id }) => [key.toString(), id],
    read([key, id]) {
      if (column === "id") return { key: id, id };
      if (!dates.has(column)) return { key, id };
      const instant = readInstant(key);
      return instant === undefined ? undefined : { key: instant, id };
    },
  };
}
