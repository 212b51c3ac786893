import { AuthorizationHistoryService } from "@authorization-service/client";
import { useInfiniteQuery } from "@connectrpc/connect-query";

const atOnce = 20;

/** The events of an assignment, newest first, page by page. */
export function useEvents(id: string) {
  return useInfiniteQuery(
    AuthorizationHistoryService.method.listAuthorizationEvents,
    {
      filters: [{ filter: { case: "authorizationId", value: { id } } }],
      pagination: { limit: atOnce, pageToken: "" },
    },
    {
      pageParamKey: "pagination",
      getNextPageParam: ({ pagination }) =>
        pagination?.nextPageToken ? { limit: atOnce, pageToken: pagination.nextPageToken, skipTotal: true } : undefined,
    },
  );
}
