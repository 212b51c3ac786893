import type { MethodImpl, ServiceImpl } from "@connectrpc/connect";
import {
  AuthorizationEventsSearchFilterSchema,
  type AuthorizationHistoryService,
} from "../../../gen/service/authorization/v2/authorization_history_service_pb.ts";
import type { AuthorizationHistory } from "../../authorization/history.ts";
import { callerOf } from "../call.ts";
import { fromEvent, toEventFilter } from "../messages/events.ts";
import { eventPositions } from "../messages/histories.ts";
import { askedPage, bytesOf, listId, type PageLimits } from "../messages/page.ts";

export function authorizationHistoryService(
  history: AuthorizationHistory,
  watchAuthorizations: MethodImpl<typeof AuthorizationHistoryService.method.watchAuthorizations>,
  limits: PageLimits,
): ServiceImpl<typeof AuthorizationHistoryService> {
  return {
    watchAuthorizations,
    async listAuthorizationEvents({ pagination, filters }, context) {
      const ascending = pagination?.asc ?? false;
      const list = () => listId("events", ascending, ...bytesOf(AuthorizationEventsSearchFilterSchema, filters));
      const { part, tell } = askedPage(pagination, limits, list, eventPositions);
      const query = { ...part, filters: filters.map(toEventFilter), ascending };
      const page = await history.list(callerOf(context), query, context.signal);
      return {
        $typeName: "service.authorization.v2.ListAuthorizationEventsResponse",
        pagination: tell(page),
        events: page.items.map(fromEvent),
      };
    },
  };
}
