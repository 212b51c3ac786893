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
  signal?: AbortSignal,
): Promise<Authorization[]> {
  const client = createClient(AuthorizationService, transport);
  const found = new Map<string, Authorization>();
  for (let pageToken: string | undefined = ""; pageToken !== undefined && found.size < mostSelected; ) {
    const pagination = { limit: 1_000, asc, pageToken, skipTotal: true };
    const answer = await client.listAuthorizations({ ...list, pagination }, { ...(signal && { signal }) });
    for (const authorization of answer.authorizations) found.set(authorization.id, authorization);
    pageToken = answer.pagination?.nextPageToken || undefined;
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
