import { AuthorizationHistoryService } from "@authorization-service/client";
import { useInfiniteQuery } from "@connectrpc/connect-query";
import { growingBy } from "../directory/requests.ts";

const pagination = { limit: 20, pageToken: "" };

/** The events of an assignment, newest first, page by page. */
export function useEvents(id: string) {
  return useInfiniteQuery(
    AuthorizationHistoryService.method.listAuthorizationEvents,
    { filters: [{ filter: { case: "authorizationId", value: { id } } }], pagination },
    growingBy(pagination),
  );
}
