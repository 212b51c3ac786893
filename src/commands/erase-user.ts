import type { Config } from "../config/config.ts";
import { withOwnConnection } from "../postgres/pool/own-connection.ts";
import { untilFinal } from "../postgres/pool/until-final.ts";
import { erasePerson } from "../postgres/retention/erase-person.ts";
import { commandLine, type Reasoned } from "./acting.ts";
import { waiting } from "./archive.ts";
import { CommandError } from "./command-error.ts";
import { onPostgres, requireSchema } from "./postgres.ts";

export type EraseOptions = Reasoned & { readonly name: readonly string[]; readonly dryRun: boolean };

/** Takes the names of a removed user out of both histories (docs/how-to/erase-a-person.md). */
export function eraseUser(config: Config, id: string, options: EraseOptions): Promise<void> {
  const actor = commandLine(options);
  return onPostgres(config, "users erase", async (postgres) => {
    await requireSchema(config, postgres);
    const changed = await withOwnConnection(postgres.connection, async (client) => {
      // Events of the removal itself, and others that name the person, may be on their way.
      await untilFinal(client, waiting());
      return erasePerson(client, { id, otherNames: options.name, dryRun: options.dryRun }, actor);
    });
    if (changed === "exists") throw new CommandError(`The user "${id}" still exists: remove the user first.`);
    if (changed === "unknown") throw new CommandError(`No user with the id "${id}" was ever removed: check the id.`);
    process.stdout.write(`${changed} events ${options.dryRun ? "would change" : "no longer name the person"}.\n`);
  });
}
