import { toRfc3339 } from "../authorization/instant.ts";
import type { Config } from "../config/config.ts";
import { readHistory } from "../postgres/history/read-history.ts";
import { onPostgres, requireSchema, tell } from "./postgres.ts";

/** Prints the history of one authorization as newline-delimited JSON, oldest first. */
export function printEvents(config: Config, authorizationId: string): Promise<void> {
  return onPostgres(config, "events", async (postgres) => {
    await requireSchema(config, postgres);
    const history = await readHistory(postgres.connection, authorizationId);
    if (history.length === 0) tell(`No assignment has ever had the id "${authorizationId}".`);
    for (const event of history) {
      process.stdout.write(`${JSON.stringify({ ...event, time: toRfc3339(event.time) })}\n`);
    }
  });
}
