import { AuthorizationHistoryService } from "@authorization-service/client";
import type { ConnectError } from "@connectrpc/connect";
import { createConnectQueryKey, useTransport } from "@connectrpc/connect-query";
import { keepPreviousData, type UseQueryResult, useQuery } from "@tanstack/react-query";
import { readPosition } from "./entry.ts";
import { firstLines, type HistoryPage } from "./lines.ts";
import { readersOf } from "./readers.ts";
import type { HistorySearch } from "./search.ts";

/** With it, whatever asks for the history of assignments again after a change asks for this, too. */
const key = createConnectQueryKey({ schema: AuthorizationHistoryService, cardinality: undefined });

/** A page of both histories. */
export function useHistory(search: HistorySearch): UseQueryResult<HistoryPage, ConnectError> {
  const transport = useTransport();
  return useQuery<HistoryPage, ConnectError>({
    queryKey: [...key, "with the directory", search],
    queryFn: ({ signal }) => {
      const behind = search.page === undefined ? undefined : readPosition(search.page);
      return firstLines(readersOf({ transport, search, behind, signal }));
    },
    placeholderData: keepPreviousData,
    // Sequences are too large for JSON, which finds out whether an answer is the same.
    structuralSharing: false,
  });
}
