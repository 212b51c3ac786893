import { toBinary } from "@bufbuild/protobuf";
import type { MethodImpl } from "@connectrpc/connect";
import {
  type AuthorizationEventsSearchFilter,
  AuthorizationEventsSearchFilterSchema,
  type AuthorizationHistoryService,
} from "../../gen/service/authorization/v2/authorization_history_service_pb.ts";
import type { AuthorizationHistory, EventPosition } from "../authorization/history.ts";
import { isInstant } from "../authorization/instant.ts";
import { callerOf } from "./caller.ts";
import { fromEvent, toEventFilter } from "./event-messages.ts";
import { type PageLimits, requireLimit } from "./page-limits.ts";
import { listId, readPageToken, writePageToken } from "./page-token.ts";

export function listAuthorizationEvents(
  history: AuthorizationHistory,
  limits: PageLimits,
): MethodImpl<typeof AuthorizationHistoryService.method.listAuthorizationEvents> {
  return async ({ pagination, filters }, context) => {
    const limit = requireLimit(pagination?.limit ?? 0, limits);
    const ascending = pagination?.asc ?? false;
    const list = () => listId("events", ascending, ...bytesOf(filters));
    const query = {
      filters: filters.map(toEventFilter),
      ascending,
      after: readPageToken(pagination?.pageToken ?? "", list, toPosition),
      offset: pagination?.offset ?? 0n,
      limit,
      skipTotal: pagination?.skipTotal ?? false,
    };
    const { total, more, events } = await history.list(callerOf(context), query, context.signal);
    const last = more ? events.at(-1) : undefined;
    const position = last && [last.time.toString(), last.sequence];
    return {
      $typeName: "service.authorization.v2.ListAuthorizationEventsResponse",
      pagination: {
        $typeName: "service.filter.v2.PaginationResponse",
        totalResult: total,
        appliedLimit: limit,
        nextPageToken: position === undefined ? "" : writePageToken({ list: list(), position }),
      },
      events: events.map(fromEvent),
    };
  };
}

/** In one order, because the order of filters makes no difference to what they match. */
function bytesOf(filters: readonly AuthorizationEventsSearchFilter[]): Uint8Array[] {
  return filters.map((filter) => toBinary(AuthorizationEventsSearchFilterSchema, filter)).sort(Buffer.compare);
}

function toPosition([time, sequence, ...more]: string[]): EventPosition | undefined {
  if (time === undefined || sequence === undefined || more.length > 0) return undefined;
  // Whatever has eighteen digits is a number that Postgres can keep, and more events than there will ever be.
  if (!/^-?\d{1,18}$/.test(time) || !/^\d{1,18}$/.test(sequence)) return undefined;
  const instant = BigInt(time);
  return isInstant(instant) ? { time: instant, sequence } : undefined;
}
