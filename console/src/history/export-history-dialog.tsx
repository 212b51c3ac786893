import { DirectoryService } from "@authorization-service/client/directory";
import { createClient, type Transport } from "@connectrpc/connect";
import { withIds } from "../directory/requests.ts";
import { ExportDialog } from "../export/export-dialog.tsx";
import type { Exported, Rows } from "../export/export-list.ts";
import { patiently } from "../export/pages.ts";
import { historyWords } from "../words/history.ts";
import type { Entry } from "./entry.ts";
import { header, rowOf } from "./export-rows.ts";
import { merged, totalOf } from "./merged.ts";
import { type Names, namesOf, unnamedIn } from "./names.ts";
import { readersOf } from "./readers.ts";
import type { HistorySearch } from "./search.ts";

const words = historyWords.export;

/** Exports everything that matches the filters, from the newest change to the oldest. */
export function ExportHistoryDialog({ search, onClose }: { search: HistorySearch; onClose: () => void }) {
  const exported: Exported = {
    file: words.file,
    of: words.of,
    header,
    promises: words.promises,
    rows: (transport, signal) => rowsOf(transport, search, signal),
  };
  return <ExportDialog exported={exported} onClose={onClose} />;
}

/** Fewer than the ids that a request takes, because an event names two things of one kind at most. */
const atOnce = 400;

async function* rowsOf(transport: Transport, search: HistorySearch, signal: AbortSignal): AsyncGenerator<Rows> {
  const readers = readersOf({ transport, search, signal, send: (ask) => patiently(ask, signal) });
  let entries: Entry[] = [];
  const written = async (): Promise<Rows> => {
    const names = await askNames(transport, entries, signal);
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

async function askNames(transport: Transport, entries: readonly Entry[], signal: AbortSignal): Promise<Names> {
  const ids = unnamedIn(entries);
  const client = createClient(DirectoryService, transport);
  const ask = <Answer,>(wanted: readonly string[], send: () => Promise<Answer>) =>
    wanted.length === 0 ? undefined : patiently(send, signal);
  const [users, projects, organizations] = await Promise.all([
    ask(ids.users, () => client.listUsers(withIds(ids.users), { signal })),
    ask(ids.projects, () => client.listProjects(withIds(ids.projects), { signal })),
    ask(ids.organizations, () => client.listOrganizations(withIds(ids.organizations), { signal })),
  ]);
  const known = new Map(organizations?.organizations.map((organization) => [organization.id, organization]));
  const found = {
    users: users?.users ?? [],
    projects: projects?.projects ?? [],
    organizationOf: (id: string) => known.get(id),
  };
  return namesOf(found, entries);
}
