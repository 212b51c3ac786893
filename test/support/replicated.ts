import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { afterAll } from "vitest";
import { openDatabase } from "../../src/postgres/pool/database.ts";
import type { LeftOut } from "../../src/postgres/replicas/replica-status.ts";
import { openReplicated, type ReplicatedDatabase } from "../../src/postgres/replicas/replicated-database.ts";
import { openEmbeddedReplica } from "./embedded-replica.ts";
import { haltAll, mainProcess, startOwnPostgres } from "./own-postgres.ts";
import { scratchFolder } from "./scratch-postgres.ts";
import { openProxy } from "./tcp-proxy.ts";
import { until } from "./until.ts";
import { withClient } from "./with-client.ts";

export type TestReplica = Awaited<ReturnType<typeof startReplica>>;
export type Replicated = Awaited<ReturnType<typeof startReplicated>>;

type Options = Pick<ReplicaOptions, "settings"> & { readonly count?: number };

/** A primary with its replicas. */
export async function startReplicated(options: Options = {}) {
  const often = { wal_receiver_status_interval: "1s" };
  const primary = await startOwnPostgres(often);
  const given = { primary, settings: { ...often, ...options.settings } };
  const replicas: TestReplica[] = [];
  for (let number = 1; number <= (options.count ?? 2); number += 1) {
    replicas.push(await startReplica(`replica_${number}`, given));
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

type ReplicaOptions = {
  readonly primary: { readonly url: string; readonly connection: pg.ClientConfig; readonly cluster: string };
  readonly settings?: Readonly<Record<string, string>>;
  /** Where its files lie; default: in memory, where there is enough. */
  readonly folder?: string;
};

/** A replica that a test may harm. */
export async function startReplica(name: string, { primary, settings, folder }: ReplicaOptions) {
  const dataDirectory = await mkdtemp(join(folder ?? (await scratchFolder()), `authorization-${name}-`));
  const upstream = await openProxy(primary.url);
  const via = { host: "127.0.0.1", port: Number(new URL(upstream.url).port) };
  const build = () =>
    openEmbeddedReplica({ primary, dataDirectory, name, via, settings: { fsync: "off", ...settings } });
  let replica = await build();
  const socket = encodeURIComponent(replica.socketDirectory);
  const connectionString = `postgresql:///postgres?host=${socket}&port=${replica.port}&user=postgres`;
  const network = await openProxy(connectionString);
  const connection = { connectionString, connectionTimeoutMillis: 5_000 };
  const onOwn = <T>(work: (client: pg.Client) => Promise<T>) => withClient(connection, work);
  const query = <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    onOwn(async (client) => (await client.query<Row>(text, values)).rows);
  return {
    name,
    /** By way of `network`. */
    url: network.url,
    /** Between its clients and it. */
    network,
    /** Between it and the primary. */
    upstream,
    /** Past both. */
    connection,
    withClient: onOwn,
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
    halt: () => replica.halt(),
    start: () => replica.start(),
    /** Halts all of its processes, and returns what lets them go on. */
    pause: () => haltAll(replica.cluster),
    /** Makes a new replica in its place. */
    async rebuild() {
      await replica.stop();
      await rm(dataDirectory, { recursive: true, force: true });
      // The primary may be away when it is to be copied.
      const building = () => build().catch(() => undefined);
      replica = await until("the replica to be built again", building, { longestMs: 60_000, everyMs: 200 });
    },
    async stop() {
      await network.close();
      await replica.stop();
      await upstream.close();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Resolves when a replica is left out for a reason, or used if there is none. */
export async function untilLeftOut(
  database: ReplicatedDatabase,
  index: number,
  reason: LeftOut | undefined,
): Promise<void> {
  await until(`the replica to be ${reason ?? "used"}`, () => database.replicas()[index]?.leftOut === reason);
}
