import {
  type Authorization,
  type AuthorizationFieldName,
  AuthorizationService,
  type AuthorizationsSearchFilter,
  AuthorizationsSearchFilterSchema,
} from "@authorization-service/client";
import { toJson } from "@bufbuild/protobuf";
import { type ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectQueryKey, useTransport } from "@connectrpc/connect-query";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { allPages } from "../export/pages.ts";

/** The request for a list, without the page. */
export type List = {
  readonly filters: AuthorizationsSearchFilter[];
  readonly sortingColumn: AuthorizationFieldName;
  readonly asc: boolean;
};

/** The most assignments that can be selected at once. */
export const mostSelected = 10_000;

/** Reads the first ten thousand assignments of a list, page by page, with their current change dates. */
export async function allMatching(
  transport: Transport,
  { asc, ...list }: List,
  signal = new AbortController().signal,
): Promise<Authorization[]> {
  const client = createClient(AuthorizationService, transport);
  const found = new Map<string, Authorization>();
  const pages = allPages(
    (asked) => client.listAuthorizations({ ...list, pagination: { ...asked, asc, skipTotal: true } }, { signal }),
    signal,
  );
  for await (const { authorizations } of pages) {
    for (const authorization of authorizations) found.set(authorization.id, authorization);
    if (found.size >= mostSelected) break;
  }
  return [...found.values()].slice(0, mostSelected);
}

/** The same, asked for again after each change. */
export function useAllMatching(list: List) {
  const transport = useTransport();
  const { filters, sortingColumn, asc } = list;
  const written = filters.map((filter) => toJson(AuthorizationsSearchFilterSchema, filter));
  return useQuery<Authorization[], ConnectError>({
    queryKey: [
      ...createConnectQueryKey({ schema: AuthorizationService, cardinality: undefined }),
      ...["all matching", written, sortingColumn, asc],
    ],
    queryFn: ({ signal }) => allMatching(transport, list, signal),
    placeholderData: keepPreviousData,
  });
}
