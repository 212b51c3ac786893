import type { Config } from "../config/config.ts";
import { writeChange } from "../import-format/changes.ts";
import { exportAll } from "../postgres/directory/export/export.ts";
import { resourceKinds } from "../postgres/directory/stage/resources.ts";
import { CommandError } from "./command-error.ts";
import { historyText } from "./history-lines.ts";
import { write } from "./output.ts";
import { onPostgres, requireSchema } from "./postgres.ts";

export type ExportOptions = { readonly only?: string; readonly events: boolean };

/**
 * Writes a snapshot of everything, or only of some kinds of things, to standard output in the import format. With `events`,
 * both histories follow, for people and their tools.
 */
export function exportCommand(config: Config, { only, events }: ExportOptions): Promise<void> {
  if (events && only !== undefined) throw new CommandError("--events can't be used with --only.");
  const kinds = only === undefined ? undefined : readKinds(only);
  return onPostgres(config, "export", async (postgres) => {
    await requireSchema(config, postgres);
    await exportAll(
      postgres.connection,
      async (things) => {
        // If the reader has gone, the export ends.
        await write(things.map((thing) => `${writeChange(thing)}\n`).join(""));
      },
      kinds,
      events
        ? async (client) => {
            for await (const text of historyText(client)) await write(text);
          }
        : undefined,
    );
  });
}

/** Kinds by the names they have in the import format. */
function readKinds(text: string): ReadonlySet<string> {
  const names = text.split(",").flatMap((name) => (name === "directory" ? directory : [name]));
  const unknown = names.find((name) => !(resourceKinds as readonly string[]).includes(name));
  if (unknown === undefined) return new Set(names);
  throw new CommandError(`--only: must be directory or any of ${resourceKinds.join(",")}, got ${unknown || "nothing"}`);
}

/** Everything that assignments refer to. */
const directory = resourceKinds.filter((kind) => kind !== "authorization");
