import { pino } from "pino";
import type { Database } from "../../src/postgres/pool/database.ts";
import { postgresStores } from "../../src/postgres/stores.ts";
import { buildServer } from "../../src/server.ts";
import type { TestDatabase } from "../support/database.ts";
import { testLimits } from "../support/server.ts";
import { RowReader } from "./answers.ts";
import type { Asking } from "./ask.ts";
import { clientName } from "./world.ts";

type Stores = ReturnType<typeof postgresStores>;

/** Starts the service as one client sees it, with some of its stores replaced. */
export async function serveClient(
  database: Database,
  { token }: Pick<TestDatabase, "token">,
  replaced: Partial<Stores> = {},
): Promise<Asking & { close(): Promise<void> }> {
  const app = await buildServer({
    stores: { ...postgresStores(database), ...replaced },
    limits: testLimits,
    corsOrigins: [],
    log: pino({ level: "silent" }),
    isReady: async () => true,
    stopping: new AbortController().signal,
  });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const client = clientName(0);
  return {
    ...{ client, token: await token(client), rows: new RowReader(), patience: { deadlineMs: 10_000 } },
    server: { name: "A", url: () => url },
    close: () => app.close(),
  };
}
