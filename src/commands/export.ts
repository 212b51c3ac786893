import { once } from "node:events";
import type { Config } from "../config.ts";
import { exportAll } from "../postgres/export.ts";
import { writeChange } from "../rpc/changes.ts";
import { onPostgres, requireSchema } from "./postgres.ts";

/** Writes everything there is, of one moment, to standard output in the import format. */
export function exportCommand(config: Config): Promise<void> {
  return onPostgres(config, "export", async (postgres) => {
    await requireSchema(config, postgres);
    await exportAll(postgres.connection, async (changes) => {
      const text = changes.map((change) => `${writeChange(change)}\n`).join("");
      // A reader that is slow is waited for, so that nothing piles up here.
      if (!process.stdout.write(text)) await once(process.stdout, "drain");
    });
  });
}
