import type { AdministratorEntry } from "../../authorization/permissions.ts";
import { type EntryRow, toEntry } from "../seen/entries.ts";

/** What a statement reads of a caller's entries. */
export type RightsRow = {
  /** Null for a user who never had an entry. */
  readonly version: string | null;
  /** Null if the version is the known one. */
  readonly entries: readonly EntryRow[] | null;
};

/** Entries and their version. */
type Known = { readonly version: string; readonly entries: readonly AdministratorEntry[] };

/**
 * Keeps the entries of callers who have many, so that not every request has to read them. Equal versions mean equal
 * entries (migrations/0002_callers.sql), and every statement that finds a caller compares the version with the stored
 * one. So a kept list is never used after a change, on whichever server that was made.
 */
export type KeptEntries = {
  /** What may still be stored for a caller. */
  recall(caller: string): Known | undefined;
  /** The entries that were read, or the known ones if the version is still the same. */
  learn(caller: string, known: Known | undefined, row: RightsRow): readonly AdministratorEntry[];
};

/** How many entries a server keeps. */
export const mostInAll = 200_000;

/**
 * @param mostEntries how many entries to keep in total, some 200 bytes each
 * @param few lists of up to this many entries are not kept: reading them costs next to nothing
 */
export function keepEntries(mostEntries = mostInAll, few = 50): KeptEntries {
  // Both have the ones used last at their end.
  const versions = new Map<string, string>();
  const lists = new Map<string, readonly AdministratorEntry[]>();
  let total = 0;

  function keep(version: string, entries: readonly AdministratorEntry[]): void {
    if (!lists.has(version)) total += entries.length;
    moveToEnd(lists, version, entries);
    for (const [oldest, its] of lists) {
      if (total <= mostEntries) break;
      lists.delete(oldest);
      total -= its.length;
    }
  }

  return {
    recall(caller) {
      const version = versions.get(caller);
      const entries = version === undefined ? undefined : lists.get(version);
      return version === undefined || entries === undefined ? undefined : { version, entries };
    },
    learn(caller, known, { version, entries: read }) {
      if (read === null && (known === undefined || known.version !== version)) {
        throw new Error("a statement left out entries that are not known");
      }
      const entries = read === null ? (known?.entries ?? []) : (lists.get(version ?? "") ?? toEntries(read));
      if (version === null || entries.length <= few) {
        versions.delete(caller);
        return entries;
      }
      moveToEnd(versions, caller, version);
      keep(version, entries);
      // Each list has more than a few entries, so this is plenty, even with several tokens for each caller.
      for (const oldest of versions.keys()) {
        if (versions.size <= mostEntries / few) break;
        versions.delete(oldest);
      }
      return entries;
    },
  };
}

function moveToEnd<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

/** Equal lists of roles and equal homes are kept once. */
function toEntries(rows: readonly EntryRow[]): AdministratorEntry[] {
  const roles = new Map<string, EntryRow["roles"]>();
  const homes = new Map<string, string>();
  return rows.map((row) => {
    const names = row.roles.join();
    if (!roles.has(names)) roles.set(names, row.roles);
    const home = row.home_id ?? undefined;
    if (home !== undefined && !homes.has(home)) homes.set(home, home);
    return toEntry({
      ...row,
      roles: roles.get(names) ?? row.roles,
      home_id: home === undefined ? null : (homes.get(home) ?? home),
    });
  });
}
