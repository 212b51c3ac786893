import { type Entry, type Position, positionOf } from "./entry.ts";
import { merged, type Reader, totalOf } from "./merged.ts";

/** What one request has changed, newest first. */
export type Line = {
  readonly entries: Entry[];
  /** Whether the next page continues it. */
  isCut: boolean;
};

export type HistoryPage = {
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
export const pageSize: Size = { lines: 100, events: 2_000 };

/**
 * The first lines of the merged histories. The events of one request are one line, so the page continues until the last
 * line is complete.
 */
export async function firstLines(readers: readonly Reader[], size = pageSize): Promise<HistoryPage> {
  const lines: Line[] = [];
  let [events, last]: [number, Entry | undefined] = [0, undefined];
  for await (const entry of merged(readers)) {
    const line = lines.findLast((one) => belongsTo(one, entry));
    if (last !== undefined && (events >= size.events || (line === undefined && lines.length >= size.lines))) {
      if (line !== undefined) line.isCut = true;
      return { lines, events, total: totalOf(readers), next: positionOf(last) };
    }
    if (line === undefined) lines.push({ entries: [entry], isCut: false });
    else line.entries.push(entry);
    [events, last] = [events + 1, entry];
  }
  return { lines, events, total: totalOf(readers), next: undefined };
}

/** An import can give each assignment a date of its own. Events that are far apart are lines of their own. */
const longest = 60_000_000n;

function belongsTo({ entries }: Line, entry: Entry): boolean {
  const latest = entries.at(-1);
  if (latest === undefined || latest.requestId === "" || latest.requestId !== entry.requestId) return false;
  return positionOf(latest).microseconds - positionOf(entry).microseconds <= longest;
}
