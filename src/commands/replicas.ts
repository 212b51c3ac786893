import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config/config.ts";
import type { ConnectionsOptions } from "../postgres/pool/connections.ts";
import type { Database } from "../postgres/pool/database.ts";
import { openReplicated, type ReplicatedDatabase } from "../postgres/replicas/replicated-database.ts";

/** The first two come and go under load, many times a second. The metrics count them all. */
const expected = new Set(["behind", "ahead", "primary"]);

/** The database with its replicas. Undefined if none are configured. */
export function openReplicas(
  { databaseReplicaUrls }: Pick<Config, "databaseReplicaUrls">,
  primary: Database,
  options: ConnectionsOptions,
  log: FastifyBaseLogger,
): ReplicatedDatabase | undefined {
  if (databaseReplicaUrls.length === 0) return undefined;
  const replicas = databaseReplicaUrls.map((connectionString) => ({ connectionString }));
  return openReplicated({
    primary,
    options,
    replicas,
    onChange(replica, reason, cause) {
      if (reason === undefined) log.debug({ replica }, "a replica is used");
      else if (expected.has(reason)) log.debug({ replica, reason }, "a replica is left out for now");
      else log.warn({ replica, reason, err: cause }, "a replica is left out until it can be used again");
    },
  });
}
