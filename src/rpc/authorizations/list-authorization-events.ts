import type { MethodImpl } from "@connectrpc/connect";
import {
  AuthorizationEventsSearchFilterSchema,
  type AuthorizationHistoryService,
} from "../../../gen/service/authorization/v2/authorization_history_service_pb.ts";
import type { AuthorizationHistory, EventPosition } from "../../authorization/history.ts";
import { isInstant } from "../../authorization/instant.ts";
import { callerOf } from "../door/caller.ts";
import { fromEvent, toEventFilter } from "../messages/events.ts";
import { askedPage, bytesOf, listId, type PageLimits, type Positions } from "../messages/page.ts";

export function listAuthorizationEvents(
  history: AuthorizationHistory,
  limits: PageLimits,
): MethodImpl<typeof AuthorizationHistoryService.method.listAuthorizationEvents> {
  return async ({ pagination, filters }, context) => {
    const ascending = pagination?.asc ?? false;
    const list = () => listId("events", ascending, ...bytesOf(AuthorizationEventsSearchFilterSchema, filters));
    const { part, tell } = askedPage(pagination, limits, list, positions);
    const query = { ...part, filters: filters.map(toEventFilter), ascending };
    const { total, more, events } = await history.list(callerOf(context), query, context.signal);
    return {
      $typeName: "service.authorization.v2.ListAuthorizationEventsResponse",
      pagination: tell(total, more ? events.at(-1) : undefined),
      events: events.map(fromEvent),
    };
  };
}

const positions: Positions<EventPosition> = {
  write: ({ time, sequence }) => [time.toString(), sequence],
  read([time, sequence, ...more]) {
    if (time === undefined || sequence === undefined || more.length > 0) return undefined;
    // Postgres can store any number of eighteen digits, and there will never be more events.
    if (!/^-?\d{1,18}$/.test(time) || !/^\d{1,18}$/.test(sequence)) return undefined;
    const instant = BigInt(time);
    return isInstant(instant) ? { time: instant, sequence } : undefined;
  },
};
