import type { Config } from "../config/config.ts";
import { migrate } from "../postgres/migrations/migrations.ts";
import { grantToService } from "../postgres/migrations/service-role.ts";
import { CommandError } from "./command-error.ts";
import { mendable, onPostgres, tell } from "./postgres.ts";

/** Applies missing migrations and prints their names. Then gives a role, if one is named, what serving needs. */
export function migrateCommand(config: Config, { serviceRole }: { readonly serviceRole?: string }): Promise<void> {
  return onPostgres(config, "migrate", async ({ connection }) => {
    const names = await mendable(migrate(connection));
    tell(names.length === 0 ? "The schema is up to date." : `Applied ${names.join(", ")}.`);
    if (serviceRole === undefined) return;
    await grantToService(connection, serviceRole).catch((error: Error) => {
      throw new CommandError(`The role can't be given its rights: ${error.message}`, { cause: error });
    });
    tell(`The role ${JSON.stringify(serviceRole)} has the rights to serve.`);
  });
}
