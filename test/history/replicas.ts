import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { openEmbeddedReplica } from "../support/embedded-replica.ts";
import { haltAll, mainProcess } from "../support/own-postgres.ts";
import { openProxy } from "../support/tcp-proxy.ts";
import { withClient } from "../support/with-client.ts";
import type { TroubledPostgres } from "./postgres.ts";

/** A replica that can be ill-treated. Each way ends with the replica as it was before. */
export type TroubledReplica = {
  readonly name: string;
  readonly url: string;
  /** How to connect past everything that is made to fail. */
  readonly connection: pg.ClientConfig;
  withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
  kill(afterMs: number): Promise<void>;
  /** Halts all of its processes. */
  pause(forMs: number): Promise<void>;
  /** Between the servers and it: breaks all connections, or swallows what they carry. */
  cutOff(how: "cut" | "swallow", forMs: number): Promise<void>;
  pauseReplay(forMs: number): Promise<void>;
  /** Between it and the primary. */
  fallBehind(forMs: number): Promise<void>;
  /** Makes a primary of it, which the servers still take for a replica, and then a new replica in its place. */
  promote(forMs: number): Promise<void>;
  /** Keeps it on its timeline while the primary begins another one, and then makes a new replica in its place. */
  leaveBehind(beginTimeline: () => Promise<void>, forMs: number): Promise<void>;
  /** How many it has done since it was last built. A read is two of them. */
  transactions(): Promise<number>;
  stop(): Promise<void>;
};

const settings = {
  max_connections: "40",
  fsync: "off",
  wal_receiver_timeout: "2s",
  wal_retrieve_retry_interval: "100ms",
};

export async function startReplica(primary: TroubledPostgres, folder: string, name: string): Promise<TroubledReplica> {
  const dataDirectory = join(folder, name);
  const upstream = await openProxy(primary.url);
  const via = { host: "127.0.0.1", port: Number(new URL(upstream.url).port) };
  const build = () => openEmbeddedReplica({ primary, dataDirectory, name, via, settings });
  let replica = await build();
  const socket = encodeURIComponent(replica.socketDirectory);
  const direct = `postgresql:///postgres?host=${socket}&port=${replica.port}&user=postgres`;
  const network = await openProxy(direct);
  let busy: Promise<unknown> = Promise.resolve();

  /** One thing at a time: a replica that is being built again can't be paused. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = busy.then(work);
    busy = done.catch(() => {});
    return done;
  }

  async function buildAgain(): Promise<void> {
    await replica.stop();
    await rm(dataDirectory, { recursive: true, force: true });
    await retry(async () => {
      replica = await build();
    });
  }

  return {
    name,
    url: network.url,
    connection: { connectionString: direct },
    withClient: (work) => withClient(directly(direct), work),
    kill: (afterMs) =>
      inTurn(async () => {
        process.kill(await mainProcess(replica.cluster), "SIGKILL");
        await replica.halt();
        await sleep(afterMs);
        await replica.start();
      }),
    pause: (forMs) =>
      inTurn(async () => {
        const goOn = await haltAll(replica.cluster);
        await sleep(forMs);
        goOn();
      }),
    cutOff: (how, forMs) =>
      inTurn(async () => {
        await network[how]();
        await sleep(forMs);
        await network.restore();
      }),
    pauseReplay: (forMs) =>
      inTurn(async () => {
        await on(direct, "select pg_wal_replay_pause()");
        await sleep(forMs);
        await on(direct, "select pg_wal_replay_resume()");
      }),
    fallBehind: (forMs) =>
      inTurn(async () => {
        await upstream.cut();
        await sleep(forMs);
        await upstream.restore();
      }),
    promote: (forMs) =>
      inTurn(async () => {
        // A conflict with recovery can end the statement, but not the promotion.
        await on(direct, "select pg_promote()").catch(() => {});
        await sleep(forMs);
        await buildAgain();
      }),
    leaveBehind: (beginTimeline, forMs) =>
      inTurn(async () => {
        await on(direct, "alter system set recovery_target_timeline = 'current'");
        await replica.halt();
        await replica.start();
        await beginTimeline();
        await sleep(forMs);
        await buildAgain();
      }),
    async transactions() {
      await busy;
      const rows = await on(direct, "select sum(xact_commit)::integer as count from pg_stat_database");
      return Number(rows[0]?.count);
    },
    async stop() {
      await busy;
      await network.close();
      await replica.stop();
      await upstream.close();
    },
  };
}

/** The primary may be away when it is to be copied. */
async function retry(work: () => Promise<void>): Promise<void> {
  const giveUpAt = Date.now() + 60_000;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await sleep(200);
    }
  }
}

async function on(url: string, statement: string): Promise<{ count?: number }[]> {
  return withClient(directly(url), async (client) => (await client.query<{ count?: number }>(statement)).rows);
}

function directly(url: string): pg.ClientConfig {
  return { connectionString: url, connectionTimeoutMillis: 5_000 };
}
