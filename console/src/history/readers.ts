import { AuthorizationHistoryService, type PaginationResponse } from "@authorization-service/client";
import { DirectoryHistoryService } from "@authorization-service/client/directory";
import { createClient, type Transport } from "@connectrpc/connect";
import { atMost } from "../settings.ts";
import { type Entry, isBehind, type Position, positionOf, totalOfEvents } from "./entry.ts";
import { filtersOf, type HistorySearch } from "./search.ts";

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

/** One of the histories, newest first, read chunk by chunk as far as it is needed. */
export type Reader = {
  readonly events: AsyncGenerator<Entry, undefined>;
  /** How many events there are in all, from the first one that is read; perhaps infinite. Known once there was one. */
  readonly total: () => number;
};

/** Answers a chunk of one history. */
export type Ask = (page: { readonly pageToken: string; readonly skipTotal: boolean }) => Promise<{
  readonly pagination?: Pick<PaginationResponse, "nextPageToken" | "totalResult"> | undefined;
  readonly events: readonly Entry[];
}>;

/** The size of later chunks. */
const most = 1_000;

/** Readers of the histories that can have what the search looks for. Nothing is asked until their heads are. */
export function readersOf({ transport, search, behind, signal, first = most, send = (ask) => ask() }: Asked): Reader[] {
  const { assignments, directory } = filtersOf(search, behind);
  const ofAssignments = createClient(AuthorizationHistoryService, transport);
  const ofDirectory = createClient(DirectoryHistoryService, transport);
  const asked = { signal };
  const chunks = (read: (pagination: Parameters<Ask>[0] & { readonly limit: number }) => ReturnType<Ask>) => {
    const ask: Ask = (page) => send(() => read({ ...page, limit: atMost(page.pageToken === "" ? first : most) }));
    return readerOf(ask, behind);
  };
  return [
    ...(assignments
      ? [chunks((pagination) => ofAssignments.listAuthorizationEvents({ filters: assignments, pagination }, asked))]
      : []),
    ...(directory
      ? [chunks((pagination) => ofDirectory.listDirectoryEvents({ filters: directory, pagination }, asked))]
      : []),
  ];
}

/** Reads what comes behind a position. `ask` may answer earlier events, too, which are left out. */
export function readerOf(ask: Ask, behind: Position | undefined): Reader {
  let total = 0;
  async function* read(): Reader["events"] {
    let page = { pageToken: "", skipTotal: false };
    do {
      const { events, pagination } = await ask(page);
      if (!page.skipTotal) total = totalOfEvents(pagination);
      const kept = events.filter((entry) => behind === undefined || isBehind(positionOf(entry), behind));
      total -= events.length - kept.length;
      yield* kept;
      page = { pageToken: pagination?.nextPageToken ?? "", skipTotal: true };
    } while (page.pageToken !== "");
  }
  return { events: read(), total: () => total };
}

/** All events of several histories, newest first. */
export async function* merged(readers: readonly Reader[]): AsyncGenerator<Entry> {
  const heads = await Promise.all(readers.map(async ({ events }) => ({ events, entry: (await events.next()).value })));
  for (;;) {
    let [newest] = heads;
    for (const head of heads) {
      if (newest?.entry === undefined) newest = head;
      else if (head.entry && isBehind(positionOf(newest.entry), positionOf(head.entry))) newest = head;
    }
    if (newest?.entry === undefined) return;
    yield newest.entry;
    newest.entry = (await newest.events.next()).value;
  }
}

/** How many events several histories have, from the first ones that are read. */
export function totalOf(readers: readonly Reader[]): number {
  return readers.reduce((sum, reader) => sum + reader.total(), 0);
}
