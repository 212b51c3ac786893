import type { PaginationResponse } from "@authorization-service/client";
import { type Entry, isBehind, type Position, positionOf } from "./entry.ts";
import { totalOfEvents } from "./total-of-events.ts";

/** One of the histories, newest first, read chunk by chunk as far as it is needed. */
export type Reader = {
  /** The next event; undefined after the last one. */
  readonly head: () => Promise<Entry | undefined>;
  /** Moves on to the event behind the head. */
  readonly move: () => void;
  /** How many events there are in all, from the first one that is read; perhaps infinite. Known once there was a head. */
  readonly total: () => number;
};

/** Answers a chunk of one history. */
export type Ask = (page: { readonly pageToken: string; readonly skipTotal: boolean }) => Promise<{
  readonly pagination?: Pick<PaginationResponse, "nextPageToken" | "totalResult"> | undefined;
  readonly events: readonly Entry[];
}>;

/** Reads what comes behind a position. `ask` may answer earlier events, too, which are left out. */
export function readerOf(ask: Ask, behind: Position | undefined): Reader {
  let chunk: readonly Entry[] = [];
  let at = 0;
  let total = 0;
  let next: Parameters<Ask>[0] | undefined = { pageToken: "", skipTotal: false };

  async function head(): Promise<Entry | undefined> {
    while (at === chunk.length && next !== undefined) {
      const { events, pagination } = await ask(next);
      if (!next.skipTotal) total = totalOfEvents(pagination);
      const kept = events.filter((entry) => behind === undefined || isBehind(positionOf(entry), behind));
      total -= events.length - kept.length;
      [chunk, at] = [kept, 0];
      const pageToken = pagination?.nextPageToken ?? "";
      next = pageToken === "" ? undefined : { pageToken, skipTotal: true };
    }
    return chunk[at];
  }

  function move(): void {
    at += 1;
  }

  return { head, move, total: () => total };
}

/** The newest of the heads. Undefined after the last event of all. */
export async function newestOf(
  readers: readonly Reader[],
): Promise<{ readonly entry: Entry; readonly reader: Reader } | undefined> {
  const heads = await Promise.all(readers.map(async (reader) => ({ reader, entry: await reader.head() })));
  let newest: { entry: Entry; reader: Reader } | undefined;
  for (const { reader, entry } of heads) {
    if (entry === undefined) continue;
    if (newest === undefined || isBehind(positionOf(newest.entry), positionOf(entry))) newest = { entry, reader };
  }
  return newest;
}

/** All events of several histories, newest first. */
export async function* merged(readers: readonly Reader[]): AsyncGenerator<Entry> {
  for (;;) {
    const newest = await newestOf(readers);
    if (newest === undefined) return;
    newest.reader.move();
    yield newest.entry;
  }
}

/** How many events several histories have, from the first ones that are read. */
export function totalOf(readers: readonly Reader[]): number {
  return readers.reduce((sum, reader) => sum + reader.total(), 0);
}
