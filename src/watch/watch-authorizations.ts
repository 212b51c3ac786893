import {
  AuthorizationEventsSearchFilterSchema,
  type WatchAuthorizationsRequest,
} from "../../gen/service/authorization/v2/authorization_history_service_pb.ts";
import type { FeedPosition } from "../authorization/feed.ts";
import { callOf } from "../rpc/call.ts";
import { fromEvent, toEventFilter } from "../rpc/messages/events.ts";
import { bytesOf, listId } from "../rpc/messages/page.ts";
import type { WatchRpc } from "../rpc/router.ts";
import { readResumeToken, resumeTokenOf } from "./resume-tokens.ts";
import type { Watching } from "./watching.ts";

/** The RPC that follows changes. */
export function watchAuthorizations(watching: Watching): WatchRpc {
  return (identify) =>
    async function* watch({ filters, start }, { values, signal }) {
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
