import { AuthorizationHistoryService } from "@authorization-service/client";
import { DirectoryHistoryService } from "@authorization-service/client/directory";
import { createClient, type Transport } from "@connectrpc/connect";
import { atMost } from "../settings.ts";
import type { Position } from "./entry.ts";
import { type Ask, type Reader, readerOf } from "./merged.ts";
import { filtersOf } from "./request.ts";
import type { HistorySearch } from "./search.ts";

export type Asked = {
  readonly transport: Transport;
  readonly search: HistorySearch;
  /** Where the previous page ended. */
  readonly behind?: Position | undefined;
  readonly signal: AbortSignal;
  /** The size of the first chunk, which shows a page. More is read at once if a request has changed many things. */
  readonly first?: number;
  readonly send?: Send;
};

/** How a request is sent, for example again if it fails. */
export type Send = <Answer>(ask: () => Promise<Answer>) => Promise<Answer>;

/** The size of later chunks. */
const most = 1_000;

/** Readers of the histories that can have what the search looks for. Nothing is asked until their heads are. */
export function readersOf(asked: Asked): Reader[] {
  const { transport, search, behind, signal, first = 100, send = (ask) => ask() } = asked;
  const { assignments, directory } = filtersOf(search, new Date(), behind);
  const ofAssignments = createClient(AuthorizationHistoryService, transport);
  const ofDirectory = createClient(DirectoryHistoryService, transport);
  const asks: (Ask | undefined)[] = [
    assignments &&
      chunks(first, (pagination) =>
        send(() => ofAssignments.listAuthorizationEvents({ filters: assignments, pagination }, { signal })),
      ),
    directory &&
      chunks(first, (pagination) =>
        send(() => ofDirectory.listDirectoryEvents({ filters: directory, pagination }, { signal })),
      ),
  ];
  return asks.filter((ask) => ask !== undefined).map((ask) => readerOf(ask, behind));
}

function chunks(first: number, read: (page: Parameters<Ask>[0] & { readonly limit: number }) => ReturnType<Ask>): Ask {
  return (page) => read({ ...page, limit: atMost(page.pageToken === "" ? first : most) });
}
