/**
 * Guests are commands that use another command's Postgres. A smart shutdown alone would not protect them: it lets open
 * connections finish but refuses new ones, and a pool opens connections when it needs them.
 */
import { randomUUID } from "node:crypto";
import { readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { type Owner, stillRuns, thisProcess, writeDraft } from "./ownership.ts";

type Guest = Pick<Owner, "pid" | "started" | "name">;

/** Records that this process is a guest. The result removes the record. */
export async function registerGuest(folder: string, name: string): Promise<() => Promise<void>> {
  const guest: Guest = { ...(await thisProcess()), name };
  const file = path.join(folder, `guest.${randomUUID()}.json`);
  await rename(await writeDraft(folder, guest), file);
  return () => rm(file, { force: true });
}

/** The guests that are still running. The records of killed ones are removed. */
export async function presentGuests(folder: string): Promise<Guest[]> {
  const present: Guest[] = [];
  for (const name of await readdir(folder)) {
    if (!name.startsWith("guest.")) continue;
    const file = path.join(folder, name);
    const guest = await readFile(file, "utf8").then(
      (text) => JSON.parse(text) as Guest,
      () => undefined,
    );
    if (guest && (await stillRuns(guest))) present.push(guest);
    else await rm(file, { force: true });
  }
  return present;
}
