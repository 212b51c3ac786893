import type { PaginationResponse } from "@authorization-service/client";
import { type Entry, isBehind, type Position, positionOf } from "./entry.ts";
import { totalOfEvents } from "./total-of-events.ts";

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
  const headOf = async ({ events }: Pick<Reader, "events">) => ({ events, entry: (await events.next()).value });
  let heads = await Promise.all(readers.map(headOf));
  for (;;) {
    let newest: { readonly events: Reader["events"]; readonly entry: Entry } | undefined;
    for (const { events, entry } of heads) {
      if (entry === undefined) continue;
      if (newest === undefined || isBehind(positionOf(newest.entry), positionOf(entry))) newest = { events, entry };
    }
    if (newest === undefined) return;
    yield newest.entry;
    const { events } = newest;
    heads = await Promise.all(heads.map((head) => (head.events === events ? headOf(head) : head)));
  }
}

/** How many events several histories have, from the first ones that are read. */
export function totalOf(readers: readonly Reader[]): number {
  return readers.reduce((sum, reader) => sum + reader.total(), 0);
}
