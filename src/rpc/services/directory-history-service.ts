import type { ServiceImpl } from "@connectrpc/connect";
import {
  DirectoryEventsSearchFilterSchema,
  type DirectoryHistoryService,
} from "../../../gen/service/directory/v1/directory_history_service_pb.ts";
import type { DirectoryHistory } from "../../directory/history.ts";
import { callerOf } from "../call.ts";
import { fromDirectoryEvent, toDirectoryEventFilter } from "../messages/directory-events.ts";
import { eventPositions } from "../messages/histories.ts";
import { askedPage, bytesOf, listId, type PageLimits } from "../messages/page.ts";

export function directoryHistoryService(
  history: DirectoryHistory,
  limits: PageLimits,
): ServiceImpl<typeof DirectoryHistoryService> {
  return {
    async listDirectoryEvents({ pagination, filters }, context) {
      const ascending = pagination?.asc ?? false;
      const list = () => listId("directory events", ascending, ...bytesOf(DirectoryEventsSearchFilterSchema, filters));
      const { part, tell } = askedPage(pagination, limits, list, eventPositions);
      const query = { ...part, filters: filters.map(toDirectoryEventFilter), ascending };
      const page = await history.list(callerOf(context), query, context.signal);
      return {
        $typeName: "service.directory.v1.ListDirectoryEventsResponse",
        pagination: tell(page),
        events: page.items.map(fromDirectoryEvent),
      };
    },
  };
}
