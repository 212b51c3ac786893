import { promisify } from "node:util";
import type { Config } from "../config/config.ts";
import { exportAll } from "../postgres/directory/export.ts";
import { writeChange } from "../rpc/import-format.ts";
import { onPostgres, requireSchema } from "./postgres.ts";

const write = promisify<string, void>((text, done) => process.stdout.write(text, done));

/** Writes a snapshot of everything to standard output in the import format. */
export function exportCommand(config: Config): Promise<void> {
  return onPostgres(config, "export", async (postgres) => {
    await requireSchema(config, postgres);
    await exportAll(postgres.connection, async (changes) => {
      const text = changes.map((change) => `${writeChange(change)}\n`).join("");
      // Waits for slow readers, so no data piles up here. If the reader has gone, the export ends.
      await write(text);
    });
  });
}
