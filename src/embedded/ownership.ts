/**
 * Decides which process runs the Postgres of a data directory: the one that holds a lock on a file. The operating system
 * releases the lock when that process ends for any reason, so there are no stale locks.
 */
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { cannotRun } from "./cannot-run.ts";

/** What an owner says about itself. */
type Owner = {
  /** For messages, such as "the server (process 7)". */
  readonly name: string;
  /** Servers can be joined by commands. */
  readonly isServer: boolean;
};

/**
 * Undefined if there is an owner. Otherwise, the function that lets the next process claim. Postgres must have stopped
 * before.
 */
export async function claimOwnership(folder: string, me: Owner): Promise<(() => Promise<void>) | undefined> {
  const unlock = lock(path.join(folder, "owner.lock"));
  if (!unlock) return undefined;
  // Only the lock decides, so the owner can run although the disk is full.
  await writeFile(noteOf(folder), JSON.stringify(me)).catch(() => {});
  return async () => {
    await rm(noteOf(folder), { force: true });
    unlock();
  };
}

export async function readOwner(folder: string): Promise<Owner> {
  return readFile(noteOf(folder), "utf8")
    .then((text) => JSON.parse(text) as Owner)
    .catch(() => ({ name: "another process", isServer: false }));
}

const noteOf = (folder: string) => path.join(folder, "owner.json");

const sqliteBusy = 5;

/** Keeps garbage collection from closing them. */
const held = new Set<DatabaseSync>();

/**
 * Locks a file. Returns the function that unlocks it, or undefined if it is locked. Node itself can't lock files, but it
 * contains SQLite, which can. Nothing else in this process may open the file: closing it would release the lock.
 */
function lock(file: string): (() => void) | undefined {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    // By default, SQLite would create a second file, for its journal.
    database.exec("pragma journal_mode = memory; begin exclusive");
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy) return undefined;
    throw cannotRun(`${file} can't be locked: ${(error as Error).message}.`);
  }
  held.add(database);
  return () => {
    held.delete(database);
    database.close();
  };
}
