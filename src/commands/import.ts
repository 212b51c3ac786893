import { open } from "node:fs/promises";
import { Refusal } from "../authorization/refusal.ts";
import type { Config } from "../config/config.ts";
import type { PlacedChange } from "../directory/change.ts";
import { readChange } from "../import-format/changes.ts";
import { postgresImport } from "../postgres/directory/import/import-store.ts";
import { commandLine, type Reasoned } from "./acting.ts";
import { CommandError } from "./command-error.ts";
import { write } from "./output.ts";
import { onPostgres, prepareSchema, requireSchema, tell } from "./postgres.ts";
import { type Line, readLines } from "./read-lines.ts";
import { showPreview } from "./show-preview.ts";

export type ImportOptions = Reasoned & { readonly dryRun: boolean };

/**
 * Imports newline-delimited JSON, one change per line, all or nothing. `-` reads standard input. A dry run prints what
 * would change instead.
 */
export async function importFile(config: Config, file: string, options: ImportOptions): Promise<void> {
  const { dryRun } = options;
  const actor = commandLine(options);
  const chunks = await openInput(file);
  await onPostgres(config, "import", async (postgres) => {
    await (dryRun ? requireSchema(config, postgres) : prepareSchema(config, postgres.connection));
    const store = postgresImport(postgres.connection);
    const changes = readChanges(readLines(chunks));
    try {
      if (dryRun) {
        for (const line of showPreview(await store.preview(changes, mostShown, tell), mostShown))
          await write(`${line}\n`);
        return;
      }
      const count = await store.import(actor, changes, tell);
      tell(`Imported ${count} ${count === 1 ? "change" : "changes"}.`);
    } catch (error) {
      throw refused(error);
    }
  });
}

/** How many differences are printed, and how many places of assignments that follow. */
const mostShown = 1_000;

/** Fails for an unreadable file before anything is started. */
async function openInput(file: string): Promise<AsyncIterable<Uint8Array>> {
  if (file === "-") return process.stdin;
  try {
    const handle = await open(file);
    if ((await handle.stat()).isDirectory()) throw new Error("it is a folder");
    return handle.createReadStream();
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Reads every line. Throws with the number of the first line that is not a valid change. */
export async function* readChanges(lines: AsyncIterable<Line>): AsyncGenerator<PlacedChange> {
  for await (const { number, text } of lines) {
    try {
      yield { position: number, change: readChange(text) };
    } catch (error) {
      const reason = error instanceof Refusal ? ` (${error.reason})` : "";
      throw new CommandError(`line ${number}: ${error instanceof Error ? error.message : String(error)}${reason}`);
    }
  }
}

/** Says which line is wrong, and that nothing was imported. */
function refused(error: unknown): unknown {
  if (error instanceof CommandError) return new CommandError(`${error.message}\nNothing was imported.`);
  if (error instanceof Refusal && error.metadata.index !== undefined) {
    return new CommandError(`line ${error.metadata.index}: ${error.message} (${error.reason})\nNothing was imported.`);
  }
  return error;
}
