import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterAll } from "vitest";
import { openDatabase } from "../../src/postgres/pool/database.ts";
import type { LeftOut } from "../../src/postgres/replicas/replica-status.ts";
import { openReplicated, type ReplicatedDatabase } from "../../src/postgres/replicas/replicated-database.ts";
import { scratchFolder } from "./cluster.ts";
import { openEmbeddedReplica } from "./embedded-replica.ts";
import { haltAll, mainProcess, type OwnPostgres, startOwnPostgres } from "./own-postgres.ts";
import { openProxy } from "./tcp-proxy.ts";
import { until } from "./until.ts";

export type TestReplica = Awaited<ReturnType<typeof startReplica>>;
export type Replicated = Awaited<ReturnType<typeof startReplicated>>;

type Options = {
  readonly count?: number;
  readonly settings?: Record<string, string>;
  readonly replicaSettings?: Record<string, string>;
  /** Whether the replicas reach the primary by way of a network that a test may harm. */
  readonly upstream?: boolean;
};

/** A primary with its replicas. */
export async function startReplicated(options: Options = {}) {
  const primary = await startOwnPostgres({ wal_receiver_status_interval: "1s", ...options.settings });
  const replicas: TestReplica[] = [];
  for (let number = 1; number <= (options.count ?? 2); number += 1) {
    replicas.push(await startReplica(primary, `replica_${number}`, options));
  }
  const opened: (() => Promise<void>)[] = [];
  return {
    primary,
    replicas,
    /** Opens the database as a server does. It is closed with all of this, if not before. */
    open: ({ poolSize = 5, primaryUrl = primary.database.url, urls = replicas.map(({ url }) => url) } = {}) => {
      const connection = { connectionString: primaryUrl };
      const common = { connection, poolSize, statementTimeoutMs: 60_000, onIdleError: () => {} };
      const database = openReplicated({
        primary: openDatabase(common),
        options: common,
        replicas: urls.map((connectionString) => ({ connectionString })),
        onChange: () => {},
      });
      let closing: Promise<void> | undefined;
      const once = () => {
        closing ??= database.close();
        return closing;
      };
      opened.push(once);
      return { ...database, close: once };
    },
    /** Resolves when all the replicas of a database are used. */
    async untilUsed(database: ReplicatedDatabase) {
      const areUsed = () => database.replicas().every(({ leftOut }) => leftOut === undefined);
      await until("the replicas to be used", areUsed);
    },
    async stop() {
      await Promise.all(opened.map((close) => close()));
      for (const replica of replicas) await replica.stop();
      await primary.stop();
    },
  };
}

/** The same for all tests of a file. */
export async function replicatedOfTests(options?: Options): Promise<Replicated> {
  const world = await startReplicated(options);
  afterAll(() => world.stop());
  return world;
}

/** A replica that a test may harm. */
async function startReplica(primary: OwnPostgres, name: string, options: Options) {
  const dataDirectory = await mkdtemp(join(await scratchFolder(), `authorization-${name}-`));
  const upstream = options.upstream ? await openProxy(primary.database.url) : undefined;
  const replica = await openEmbeddedReplica({
    primary: { connection: primary.connection, cluster: primary.cluster },
    ...{ dataDirectory, name },
    ...(upstream && { via: { host: "127.0.0.1", port: Number(new URL(upstream.url).port) } }),
    settings: { fsync: "off", wal_receiver_status_interval: "1s", ...options.settings, ...options.replicaSettings },
  });
  const direct = `postgresql:///postgres?host=${encodeURIComponent(replica.socketDirectory)}&port=${replica.port}&user=postgres`;
  const network = await openProxy(direct);
  let client = newClient(direct);
  await client.connect();
  const query = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await client.query<Row>(text, values)).rows;
  return {
    name,
    /** By way of `network`. */
    url: network.url,
    /** Between its clients and it. */
    network,
    /** Between it and the primary, if it was asked for. */
    upstream,
    query,
    /** Resolves when nothing is replayed any more. */
    async pauseReplay() {
      await query("select pg_wal_replay_pause()");
      await until("replay to be paused", async () => {
        const [row] = await query<{ state: string }>("select pg_get_wal_replay_pause_state() as state");
        return row?.state === "paused";
      });
    },
    async kill() {
      process.kill(await mainProcess(replica.cluster), "SIGKILL");
      await replica.halt();
    },
    async start() {
      await replica.start();
      client = newClient(direct);
      await client.connect();
    },
    /** Halts all of its processes, and returns what lets them go on. */
    pause: () => haltAll(replica.cluster),
    async stop() {
      await client.end().catch(() => {});
      await network.close();
      await replica.stop();
      await upstream?.close();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

function newClient(url: string): pg.Client {
  const client = new pg.Client({ connectionString: url });
  // Tests kill its server.
  client.on("error", () => {});
  return client;
}

/** Resolves when a replica is left out for a reason, or used if there is none. */
export async function untilLeftOut(
  database: ReplicatedDatabase,
  index: number,
  reason: LeftOut | undefined,
): Promise<void> {
  await until(`the replica to be ${reason ?? "used"}`, () => database.replicas()[index]?.leftOut === reason);
}
