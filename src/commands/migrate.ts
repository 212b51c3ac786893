import type { Config } from "../config/config.ts";
import { migrate } from "../postgres/migrations/migrations.ts";
import { mendable, onPostgres, tell } from "./postgres.ts";

/** Applies missing migrations and prints their names. */
export function migrateCommand(config: Config): Promise<void> {
  return onPostgres(config, "migrate", async ({ connection }) => {
    const names = await mendable(migrate(connection));
    tell(names.length === 0 ? "The schema is up to date." : `Applied ${names.join(", ")}.`);
  });
}
