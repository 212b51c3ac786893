// The server with a bug, to see that the history check finds it: node test/history/planted-server.ts BUG

import { once } from "node:events";
import { pino } from "pino";
import { readConfig } from "../../src/config/config.ts";
import { settleAll } from "../../src/postgres/change/settle.ts";
import { openConnections } from "../../src/postgres/pool/connections.ts";
import { openDatabase } from "../../src/postgres/pool/database.ts";
import { primarySnapshots } from "../../src/postgres/replicas/primary-snapshots.ts";
import { replicatedBy } from "../../src/postgres/replicas/replicated-database.ts";
import { postgresStores } from "../../src/postgres/stores.ts";
import { buildServer } from "../../src/server.ts";
import { feedBugs, plant, replicaBugs } from "./planted.ts";

const config = readConfig();
const stopping = new AbortController();
const log = pino({ level: config.logLevel }, process.stderr);
const bug = process.argv[2] ?? "";
const options = {
  connection: { connectionString: config.databaseUrl },
  poolSize: config.databasePoolSize,
  longestWaitMs: config.longestWaitMs,
  statementTimeoutMs: config.maximumTimeoutMs + 5_000,
  onIdleError: () => {},
};
const replicas = config.databaseReplicaUrls.map((connectionString) => ({ connectionString }));
const spoil = replicaBugs[bug] ?? ((same) => same);
const database = replicatedBy(spoil(primarySnapshots(openConnections({ ...options, poolSize: 1 }))), {
  ...{ primary: openDatabase(options), options, replicas, onChange: () => {} },
});
const stores = postgresStores(database);
const spoilFeed = feedBugs[bug] ?? ((same) => same);
const settling = setInterval(() => void settleAll(database, AbortSignal.timeout(1_000)).catch(() => {}), 1_000);
const app = await buildServer({
  stores: {
    ...stores,
    feed: spoilFeed(stores.feed),
    authorizations: postgresStores(plant(bug, database)).authorizations,
  },
  limits: config,
  corsOrigins: config.corsOrigins,
  log,
  isReady: async () => true,
  stopping: stopping.signal,
});
await app.listen({ host: config.host, port: config.port });
await once(process, "SIGTERM");
stopping.abort();
clearInterval(settling);
await app.close();
await database.close();
