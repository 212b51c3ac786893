import { AuthorizationService, AuthorizationsSearchFilterSchema } from "@authorization-service/client";
import { toJson } from "@bufbuild/protobuf";
import type { ConnectError } from "@connectrpc/connect";
import { createConnectQueryKey, useTransport } from "@connectrpc/connect-query";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { allMatching, type List } from "./all-matching.ts";

/** The first ten thousand assignments of a list, on all pages. They are asked for again after each change. */
export function useAllMatching(list: List) {
  const transport = useTransport();
  const { filters, sortingColumn, asc } = list;
  const written = filters.map((filter) => toJson(AuthorizationsSearchFilterSchema, filter));
  return useQuery<Awaited<ReturnType<typeof allMatching>>, ConnectError>({
    queryKey: [
      ...createConnectQueryKey({ schema: AuthorizationService, cardinality: undefined }),
      ...["all matching", written, sortingColumn, asc],
    ],
    queryFn: ({ signal }) => allMatching(transport, list, { signal, onProgress: () => {} }),
    placeholderData: keepPreviousData,
  });
}
