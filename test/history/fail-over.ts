import type pg from "pg";
import { until } from "../support/until.ts";
import type { TroubledPostgres } from "./postgres.ts";
import type { TroubledReplica } from "./replicas.ts";

/** Makes commits wait for one of the replicas. */
export async function makeSynchronous(postgres: TroubledPostgres, replicas: readonly TroubledReplica[]): Promise<void> {
  const names = replicas.map(({ name }) => name).join(", ");
  await postgres.withClient(async (client) => {
    await client.query(`alter system set synchronous_standby_names = 'ANY 1 (${names})'`);
    await client.query("select pg_reload_conf()");
  });
  await untilFollowed(postgres, "sync_state = 'quorum'", replicas.length);
}

/** The primary's URL with all hosts that can be the primary, as a server gets it. */
export function urlOfAll(postgres: TroubledPostgres, replicas: readonly TroubledReplica[]): string {
  const { host, port, user, database } = postgres.connection;
  const addresses = replicas.map(({ url }) => new URL(url));
  const hosts = [host, ...addresses.map(({ hostname }) => hostname)].join(",");
  const ports = [port, ...addresses.map((address) => address.port)].join(",");
  return `postgresql:///${database}?host=${encodeURIComponent(hosts)}&port=${ports}&user=${user}`;
}

/**
 * Ends the primary for good and promotes the replica that has received most. The replicas must have caught up before, as
 * docs/how-to/fail-over.md says. Resolves to the new primary.
 */
export async function failOver(
  postgres: TroubledPostgres,
  replicas: readonly TroubledReplica[],
): Promise<TroubledReplica> {
  const hasCaughtUp = "state = 'streaming' and pg_current_wal_flush_lsn() - flush_lsn < 1000000";
  await untilFollowed(postgres, hasCaughtUp, replicas.length);
  await postgres.end();
  const received = await Promise.all(
    replicas.map(async (replica) => ({ replica, position: await replica.withClient(positionOf) })),
  );
  const [furthest] = received.toSorted((a, b) => (a.position < b.position ? 1 : -1));
  if (furthest === undefined) throw new Error("there is no replica to promote");
  await furthest.replica.withClient((client) => client.query("select pg_promote()"));
  return furthest.replica;
}

/** Until so many replicas are as the condition says. */
async function untilFollowed(postgres: TroubledPostgres, condition: string, count: number): Promise<void> {
  const statement = `select from pg_stat_replication where ${condition}`;
  const isFollowed = async () => (await postgres.withClient((client) => client.query(statement))).rowCount === count;
  await until("the replicas to follow the primary", isFollowed, { longestMs: 60_000, everyMs: 20 });
}

/** In bytes. After its end, it can be that of the last part it received or of the last one it replayed. */
async function positionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ position: number }>(
    `select greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0'::pg_lsn as position`,
  );
  return Number(rows[0]?.position);
}
