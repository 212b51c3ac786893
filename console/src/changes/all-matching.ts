import {
  type Authorization,
  type AuthorizationFieldName,
  AuthorizationService,
  type AuthorizationsSearchFilter,
} from "@authorization-service/client";
import { createClient, type Transport } from "@connectrpc/connect";
import { atMost } from "../settings.ts";

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
  for (let pageToken: string | undefined = ""; pageToken !== undefined && found.size < mostSelected; ) {
    const pagination = { limit: atMost(1_000), asc, pageToken, skipTotal: true };
    const answer = await client.listAuthorizations({ ...list, pagination }, { signal });
    for (const authorization of answer.authorizations) found.set(authorization.id, authorization);
    onProgress(found.size);
    pageToken = answer.pagination?.nextPageToken || undefined;
  }
  return [...found.values()].slice(0, mostSelected);
}
