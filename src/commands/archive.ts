import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type pg from "pg";
import type { Config } from "../config/config.ts";
import { withOwnConnection } from "../postgres/database/own-connection.ts";
import {
  dropArchived,
  isOwner,
  isPast,
  lockArchive,
  type Month,
  monthsBefore,
  sizeOf,
  stopKeeping,
  untilFinal,
} from "../postgres/retention/archive.ts";
import { readHistoryLines } from "../postgres/retention/history-lines.ts";
import { beginMonth } from "../postgres/retention/months.ts";
import { CommandError } from "./command-error.ts";
import { onPostgres, requireSchema, tell } from "./postgres.ts";

export type ArchiveOptions = { readonly before: string; readonly folder: string; readonly dryRun: boolean };

/**
 * Writes each month of both histories to a file, and then takes it out of the database. It can be ended at any point: run
 * it again to continue (docs/how-to/archive-old-history.md).
 */
export function archiveEvents(config: Config, options: ArchiveOptions): Promise<void> {
  const { before, folder, dryRun } = options;
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(before)) {
    throw new CommandError(`--before must be a month such as 2026-01, got "${before}".`);
  }
  return onPostgres(config, "events archive", async (postgres) => {
    await requireSchema(config, postgres);
    if (!dryRun) await beginMonth(postgres.connection);
    await withOwnConnection(postgres.connection, async (client) => {
      if (!(await lockArchive(client))) throw new CommandError("Another archive is running. Wait until it has ended.");
      await requireOver(client, before);
      if (!(await isOwner(client))) throw new CommandError("Run this command as the owner of the database.");
      const months = await monthsBefore(client, before);
      if (dryRun) return showMonths(client, months, folder);
      const left = await dropArchived(client);
      if (left.length > 0) tell(`An earlier archive was not finished: removed ${left.join(", ")}.`);
      if (months.length === 0) return tell(`There are no events from before ${before}.`);
      let isWaiting = false;
      await untilFinal(client, () => {
        if (!isWaiting) tell("Waiting until changes that are still running have ended.");
        isWaiting = true;
        return setTimeout(pauseMs);
      });
      for (const month of months) await archive(client, month, folder);
    });
  });
}

/** How long to wait until the next look, in milliseconds. */
const pauseMs = 200;

/** Months up to the one before this can be archived. */
async function requireOver(client: pg.ClientBase, before: string): Promise<void> {
  const [year = 0, month = 0] = before.split("-").map(Number);
  const last = new Date(Date.UTC(year, month - 2)).toISOString().slice(0, 7);
  if (await isPast(client, last)) return;
  throw new CommandError(`--before must be this month or an earlier one, got ${before}: ${last} is not over.`);
}

async function showMonths(client: pg.ClientBase, months: readonly Month[], folder: string): Promise<void> {
  if (months.length === 0) tell("Nothing would be archived.");
  for (const month of months) process.stdout.write(`${await describe(client, month)} -> ${fileOf(month, folder)}\n`);
}

async function describe(client: pg.ClientBase, month: Month): Promise<string> {
  const { events, directoryEvents } = await sizeOf(client, month);
  return `${month.name}: ${events} events of assignments, ${directoryEvents} of the directory`;
}

function fileOf({ name }: Month, folder: string): string {
  return join(folder, `history-${name}.ndjson`);
}

/** The file is safe on disk before the database lets go of the month. */
async function archive(client: pg.ClientBase, month: Month, folder: string): Promise<void> {
  const what = await describe(client, month);
  const file = fileOf(month, folder);
  await writeMonth(client, month, file);
  await stopKeeping(client, month);
  await dropArchived(client);
  process.stdout.write(`${what} -> ${file}\n`);
}

async function writeMonth(client: pg.ClientBase, month: Month, file: string): Promise<void> {
  const part = `${file}.part`;
  const handle = await open(part, "w", 0o600).catch((error: Error) => {
    throw new CommandError(`${part} cannot be written: ${error.message}`);
  });
  try {
    await client.query("begin isolation level repeatable read read only");
    for await (const lines of readHistoryLines(client, month, ["event", "directoryEvent"])) {
      await handle.writeFile(lines.map((line) => `${line}\n`).join(""));
    }
    await client.query("commit");
    await handle.sync();
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
