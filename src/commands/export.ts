import { promisify } from "node:util";
import type { Config } from "../config/config.ts";
import { exportAll, exportedKinds } from "../postgres/directory/export.ts";
import { writeChange } from "../rpc/import-format.ts";
import { CommandError } from "./command-error.ts";
import { onPostgres, requireSchema } from "./postgres.ts";

const write = promisify<string, void>((text, done) => process.stdout.write(text, done));

/** Writes a snapshot of everything, or only of some kinds of things, to standard output in the import format. */
export function exportCommand(config: Config, { only }: { only?: string }): Promise<void> {
  const kinds = only === undefined ? undefined : readKinds(only);
  return onPostgres(config, "export", async (postgres) => {
    await requireSchema(config, postgres);
    await exportAll(
      postgres.connection,
      async (changes) => {
        const text = changes.map((change) => `${writeChange(change)}\n`).join("");
        // Waits for slow readers, so no data piles up here. If the reader has gone, the export ends.
        await write(text);
      },
      kinds,
    );
  });
}

/** Kinds by the names they have in the import format. */
function readKinds(text: string): ReadonlySet<string> {
  const names = text.split(",").flatMap((name) => (name === "directory" ? directory : [name]));
  const unknown = names.find((name) => !(exportedKinds as readonly string[]).includes(name));
  if (unknown === undefined) return new Set(names);
  throw new CommandError(`--only: must be directory or any of ${exportedKinds.join(",")}, got ${unknown || "nothing"}`);
}

/** Everything that assignments refer to. */
const directory = exportedKinds.filter((kind) => kind !== "authorization");
