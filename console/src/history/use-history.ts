import { AuthorizationHistoryService } from "@authorization-service/client";
import type { ConnectError } from "@connectrpc/connect";
import { createConnectQueryKey, useTransport } from "@connectrpc/connect-query";
import { keepPreviousData, type UseQueryResult, useQuery } from "@tanstack/react-query";
import { type Entry, type Position, positionOf, readPosition } from "./entry.ts";
import { merged, type Reader, readersOf, totalOf } from "./readers.ts";
import type { HistorySearch } from "./search.ts";

/** What one request has changed, newest first. */
export type Line = {
  readonly first: Entry;
  readonly entries: Entry[];
  /** Whether there is more of it behind the page. */
  isCut: boolean;
};

export type HistoryAnswer = {
  readonly lines: readonly Line[];
  /** How many events the lines have. */
  readonly events: number;
  /** How many events there are in all, from the first one of this page. */
  readonly total: number;
  /** The position of the last event, if there are more behind it. */
  readonly next: Position | undefined;
};

type Size = { readonly lines: number; readonly events: number };

/** A request that changes thousands of things, such as an import, is cut into pages. */
const pageSize: Size = { lines: 100, events: 2_000 };

/** With it, whatever asks for the history of assignments again after a change asks for this, too. */
const key = createConnectQueryKey({ schema: AuthorizationHistoryService, cardinality: undefined });

/** A page of both histories. If `asOf` differs, there is something new in it. */
export function useHistory(
  search: HistorySearch,
  size = pageSize,
  asOf = 0,
): UseQueryResult<HistoryAnswer, ConnectError> {
  const transport = useTransport();
  return useQuery<HistoryAnswer, ConnectError>({
    queryKey: [...key, search, size, asOf],
    queryFn: ({ signal }) => {
      const behind = search.page === undefined ? undefined : readPosition(search.page);
      // One more shows whether the last line is complete.
      return firstLines(readersOf({ transport, search, behind, signal, first: size.lines + 1 }), size);
    },
    placeholderData: keepPreviousData,
    // Sequences are too large for JSON, which finds out whether an answer is the same.
    structuralSharing: false,
  });
}

/**
 * The first lines of the merged histories. The events of one request are one line, so the page continues until the last
 * line is complete.
 */
export async function firstLines(readers: readonly Reader[], size = pageSize): Promise<HistoryAnswer> {
  const lines: Line[] = [];
  let [events, last]: [number, Entry | undefined] = [0, undefined];
  for await (const entry of merged(readers)) {
    const line = lines.findLast((one) => belongsTo(one, entry));
    if (last !== undefined && (events >= size.events || (line === undefined && lines.length >= size.lines))) {
      if (line !== undefined) line.isCut = true;
      return { lines, events, total: totalOf(readers), next: positionOf(last) };
    }
    if (line === undefined) lines.push({ first: entry, entries: [entry], isCut: false });
    else line.entries.push(entry);
    [events, last] = [events + 1, entry];
  }
  return { lines, events, total: totalOf(readers), next: undefined };
}

/** An import can give each assignment a date of its own. Events that are far apart are lines of their own. */
const longest = 60_000_000n;

function belongsTo({ first, entries }: Line, entry: Entry): boolean {
  if (first.requestId === "" || first.requestId !== entry.requestId) return false;
  return positionOf(entries.at(-1) ?? first).microseconds - positionOf(entry).microseconds <= longest;
}
