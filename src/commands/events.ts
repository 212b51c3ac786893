import { toRfc3339 } from "../authorization/instant.ts";
import type { Config } from "../config.ts";
import { readHistory } from "../postgres/event-history.ts";
import { onPostgres, prepareSchema } from "./postgres.ts";

/** Prints the history of one authorization as newline-delimited JSON, oldest first. */
export function printEvents(config: Config, authorizationId: string): Promise<void> {
  return onPostgres(config, "events", async ({ connection }) => {
    await prepareSchema(config, connection);
    for (const event of await readHistory(connection, authorizationId)) {
      process.stdout.write(`${JSON.stringify({ ...event, time: toRfc3339(event.time) })}\n`);
    }
  });
}
