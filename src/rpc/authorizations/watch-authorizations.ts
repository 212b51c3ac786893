import type { MethodImpl } from "@connectrpc/connect";
import {
  AuthorizationEventsSearchFilterSchema,
  type AuthorizationHistoryService,
  type WatchAuthorizationsRequest,
} from "../../../gen/service/authorization/v2/authorization_history_service_pb.ts";
import type { FeedPosition } from "../../authorization/feed.ts";
import type { Identified } from "../../identity/store.ts";
import type { Watching } from "../../watch/watching.ts";
import { type Call, callOf } from "../call.ts";
import { fromEvent, toEventFilter } from "../messages/events.ts";
import { bytesOf, listId } from "../messages/page.ts";
import { readResumeToken, resumeTokenOf } from "../messages/resume-tokens.ts";

export function watchAuthorizations(
  watching: Watching,
  identify: (call: Call, mayRemember: boolean) => Promise<Identified>,
): MethodImpl<typeof AuthorizationHistoryService.method.watchAuthorizations> {
  return async function* watch({ filters, start }, { values, signal }) {
    const call = callOf(values);
    const feed = listId("feed", ...bytesOf(AuthorizationEventsSearchFilterSchema, filters));
    const messages = watching({
      identified: await identify(call, true),
      identifyAgain: (mayRemember) => identify(call, mayRemember),
      filters: filters.map(toEventFilter),
      filtersId: feed,
      start: toPosition(start, feed),
      held: call.held,
      signal,
    });
    for await (const { events, position, haveRightsChanged } of messages) {
      yield {
        events: events.map(fromEvent),
        resumeToken: resumeTokenOf(feed, position),
        rightsChanged: haveRightsChanged,
      };
    }
  };
}

/** Undefined: from now on. */
function toPosition(start: WatchAuthorizationsRequest["start"], feed: string): FeedPosition | undefined {
  switch (start.case) {
    case "resumeToken":
      return readResumeToken(start.value, feed);
    case "fromBeginning":
      return { seen: undefined };
    case undefined:
      return undefined;
  }
}
