import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type pg from "pg";
import type { Config } from "../config/config.ts";
import { withOwnConnection } from "../postgres/pool/own-connection.ts";
import { untilFinal } from "../postgres/pool/until-final.ts";
import {
  beginArchive,
  type Cut,
  deleteSome,
  findCut,
  sizeBefore,
  stopKeeping,
  takenSequences,
} from "../postgres/retention/archive.ts";
import { CommandError } from "./command-error.ts";
import { historyText } from "./history-lines.ts";
import { onPostgres, requireSchema, tell } from "./postgres.ts";

export type ArchiveOptions = { readonly before: string; readonly folder: string; readonly dryRun: boolean };

/**
 * Writes the events from before a day to a file, and then deletes them from the database. It can be ended at any point: run
 * it again to continue (docs/how-to/archive-old-history.md).
 */
export function archiveEvents(config: Config, { before, folder, dryRun }: ArchiveOptions): Promise<void> {
  if (!isDay(before)) throw new CommandError(`--before must be a day such as 2026-01-01, got "${before}".`);
  const file = join(folder, `history-before-${before}.ndjson`);
  return onPostgres(config, "events archive", async (postgres) => {
    await requireSchema(config, postgres);
    await withOwnConnection(postgres.connection, async (client) => {
      const { isAlone, hasBegun, isOwner } = await beginArchive(client, before);
      if (!isAlone) throw new CommandError("Another archive is running. Wait until it has ended.");
      if (!hasBegun) {
        throw new CommandError(`--before must be today or an earlier day, in UTC, got ${before}.`);
      }
      if (!isOwner)
        throw new CommandError("This command needs the role of the database's owner. Use its URL in DATABASE_URL.");
      const taken = await takenSequences(client);
      if (dryRun) {
        const size = await describe(client, await findCut(client, before, taken));
        process.stdout.write(size === undefined ? "Nothing would be archived.\n" : `${size} -> ${file}\n`);
        return;
      }
      const left = await deleteArchived(client);
      if (left > 0) tell(`An earlier archive was not finished: deleted ${left} events.`);
      await untilFinal(client, waiting());
      const cut = await findCut(client, before, taken);
      const size = await describe(client, cut);
      if (size === undefined) return tell(`There are no events from before ${before}.`);
      await writeEvents(client, cut, file);
      await stopKeeping(client, cut);
      await deleteArchived(client);
      process.stdout.write(`${size} -> ${file}\n`);
    });
  });
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Says once that it waits. */
export function waiting(): () => Promise<unknown> {
  let isTold = false;
  return () => {
    if (!isTold) tell("Waiting until changes that are still running have ended.");
    isTold = true;
    return setTimeout(pauseMs);
  };
}

/** How long to wait until the next look, in milliseconds. */
const pauseMs = 200;

/** Undefined if there is nothing. */
async function describe(client: pg.ClientBase, cut: Cut): Promise<string | undefined> {
  const { events, directoryEvents } = await sizeBefore(client, cut);
  if (events + directoryEvents === 0) return undefined;
  return `${events} events of assignments, ${directoryEvents} of the directory`;
}

async function deleteArchived(client: pg.ClientBase): Promise<number> {
  let deleted = 0;
  for (;;) {
    const some = await deleteSome(client);
    if (some === 0) return deleted;
    deleted += some;
  }
}

/** The file is safe on disk afterwards. */
async function writeEvents(client: pg.ClientBase, cut: Cut, file: string): Promise<void> {
  const part = `${file}.part`;
  const refuse = (error: Error) => {
    throw new CommandError(`${part} cannot be written: ${error.message}`);
  };
  const handle = await open(part, "w", 0o600).catch(refuse);
  try {
    await client.query("begin isolation level repeatable read read only");
    for await (const text of historyText(client, cut)) await handle.writeFile(text).catch(refuse);
    await client.query("commit");
    await handle.sync().catch(refuse);
  } finally {
    await handle.close();
  }
  await putInPlace(part, file);
}

/** Never replaces another file. An earlier attempt has written the same. */
async function putInPlace(part: string, file: string): Promise<void> {
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (exists) {
    if ((await contentOf(part)) !== (await contentOf(file))) {
      throw new CommandError(`${file} exists and has other content. Move it away, or use another --folder.`);
    }
    await rm(part);
  } else {
    await rename(part, file);
  }
  const folder = await open(dirname(file));
  await folder.sync().finally(() => folder.close());
}

async function contentOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest("hex");
}
