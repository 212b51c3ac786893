import {
  type Authorization,
  type AuthorizationFieldName,
  AuthorizationService,
  type AuthorizationsSearchFilter,
} from "@authorization-service/client";
import { createClient, type Transport } from "@connectrpc/connect";
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
  { signal, onProgress }: { signal: AbortSignal; onProgress: (count: number) => void },
): Promise<Authorization[]> {
  const client = createClient(AuthorizationService, transport);
  const found = new Map<string, Authorization>();
  const pages = allPages(
    (asked) => client.listAuthorizations({ ...list, pagination: { ...asked, asc, skipTotal: true } }, { signal }),
    signal,
  );
  for await (const { authorizations } of pages) {
    for (const authorization of authorizations) found.set(authorization.id, authorization);
    onProgress(found.size);
    if (found.size >= mostSelected) break;
  }
  return [...found.values()].slice(0, mostSelected);
}
