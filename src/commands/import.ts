import { createReadStream } from "node:fs";
import { Refusal } from "../authorization/refusal.ts";
import type { Config } from "../config.ts";
import type { PlacedChange } from "../directory/change.ts";
import { postgresDirectory } from "../postgres/directory-store.ts";
import { migrate } from "../postgres/migrations.ts";
import { readChange } from "../rpc/changes.ts";
import { CommandError } from "./command-error.ts";
import { onPostgres, tell } from "./postgres.ts";
import { type Line, readLines } from "./read-lines.ts";

/** Imports newline-delimited JSON, one change a line, all or nothing; `-` reads standard input. */
export function importFile(config: Config, file: string): Promise<void> {
  return onPostgres(config, "import", async ({ connection }) => {
    if (config.migrate) await migrate(connection);
    const chunks: AsyncIterable<Uint8Array> = file === "-" ? process.stdin : createReadStream(file);
    try {
      const count = await postgresDirectory(connection).import(readChanges(readLines(chunks)), tell);
      tell(`Imported ${count} changes.`);
    } catch (error) {
      throw refused(error);
    }
  });
}

/** Reads every line; throws with the number of the first one that is no valid change. */
export async function* readChanges(lines: AsyncIterable<Line>): AsyncGenerator<PlacedChange> {
  for await (const { number, text } of lines) {
    try {
      yield { position: number, change: readChange(text) };
    } catch (error) {
      throw new CommandError(`line ${number}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/** Says which line is to blame and that the database is as it was. */
function refused(error: unknown): unknown {
  if (error instanceof CommandError) return new CommandError(`${error.message}\nNothing was imported.`);
  if (error instanceof Refusal && error.metadata.position !== undefined) {
    return new CommandError(
      `line ${error.metadata.position}: ${error.message} (${error.reason})\nNothing was imported.`,
    );
  }
  if (error instanceof Error && "code" in error && error.code === "ENOENT" && "path" in error) {
    return new CommandError(`There is no file ${error.path}.`);
  }
  return error;
}
