import type { Transport } from "@connectrpc/connect";
import type { Exported, Rows } from "../export/export-list.ts";
import { patiently } from "../export/pages.ts";
import { historyWords } from "../words/history.ts";
import type { Entry } from "./entry.ts";
import { header, rowOf } from "./export-rows.ts";
import { merged, totalOf } from "./merged.ts";
import { lookUp, namesOf, unnamedIn } from "./names.ts";
import { readersOf, type Send } from "./readers.ts";
import type { HistorySearch } from "./search.ts";

const words = historyWords.export;

/** The file with everything that matches the filters, from the newest change to the oldest. */
export function historyFile(search: HistorySearch): Exported {
  return {
    file: words.file,
    of: words.of,
    header,
    rows: (transport, signal) => rowsOf(transport, search, signal),
  };
}

/** Fewer than the ids that a request takes, because an event names two things of one kind at most. */
const atOnce = 400;

async function* rowsOf(transport: Transport, search: HistorySearch, signal: AbortSignal): AsyncGenerator<Rows> {
  const send: Send = (ask) => patiently(ask, signal);
  const readers = readersOf({ transport, search, signal, send });
  let entries: Entry[] = [];
  const written = async (): Promise<Rows> => {
    const names = namesOf(await lookUp(transport, unnamedIn(entries), signal, send), entries);
    return { rows: entries.map((entry) => rowOf(entry, names)), total: totalOf(readers) };
  };
  for await (const entry of merged(readers)) {
    entries.push(entry);
    if (entries.length < atOnce) continue;
    yield await written();
    entries = [];
  }
  yield await written();
}
