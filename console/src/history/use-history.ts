import { AuthorizationHistoryService } from "@authorization-service/client";
import type { ConnectError } from "@connectrpc/connect";
import { createConnectQueryKey, useTransport } from "@connectrpc/connect-query";
import {
  type InfiniteData,
  keepPreviousData,
  type QueryKey,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from "@tanstack/react-query";
import { type Position, readPosition } from "./entry.ts";
import { firstLines, type HistoryPage } from "./lines.ts";
import { readersOf } from "./readers.ts";
import type { HistorySearch } from "./search.ts";

/** With it, whatever asks for the history of assignments again after a change asks for this, too. */
const key = createConnectQueryKey({ schema: AuthorizationHistoryService, cardinality: undefined });

// Sequences are too large for JSON, which finds out whether an answer is the same.
const structuralSharing = false;

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
    structuralSharing,
  });
}

const few = { lines: 10, events: 10 };

/** The latest events of both histories, and earlier ones when they are asked for. */
export function useLatest(search: HistorySearch) {
  const transport = useTransport();
  return useInfiniteQuery<HistoryPage, ConnectError, ReturnType<typeof eventsOf>, QueryKey, Position | undefined>({
    queryKey: [...key, "latest", search],
    queryFn: ({ signal, pageParam: behind }) =>
      firstLines(readersOf({ transport, search, behind, signal, first: few.events }), few),
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next,
    select: eventsOf,
    structuralSharing,
  });
}

function eventsOf({ pages }: InfiniteData<HistoryPage, unknown>) {
  return {
    pages: pages.map(({ lines, total }) => ({
      events: lines.flatMap(({ entries }) => entries),
      pagination: { totalResult: total },
    })),
  };
}
