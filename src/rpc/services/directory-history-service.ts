import type { ServiceImpl } from "@connectrpc/connect";
import type { DirectoryHistoryService } from "../../../gen/service/directory/v1/directory_history_service_pb.ts";
import type { DirectoryHistory } from "../../directory/history.ts";
import { listDirectoryEvents } from "../directory/list-directory-events.ts";
import type { PageLimits } from "../messages/page.ts";

export function directoryHistoryService(
  history: DirectoryHistory,
  limits: PageLimits,
): ServiceImpl<typeof DirectoryHistoryService> {
  return { listDirectoryEvents: listDirectoryEvents(history, limits) };
}
