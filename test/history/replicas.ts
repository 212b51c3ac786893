import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { openEmbeddedReplica } from "../support/embedded-replica.ts";
import { haltAll, mainProcess } from "../support/own-postgres.ts";
import { openProxy } from "../support/tcp-proxy.ts";
import { until } from "../support/until.ts";
import { withClient } from "../support/with-client.ts";
import type { TroubledPostgres } from "./postgres.ts";

/** A replica that can be ill-treated. Each way ends with the replica as it was before. */
export type TroubledReplica = Awaited<ReturnType<typeof startReplica>>;

const settings = {
  max_connections: "40",
  fsync: "off",
  wal_receiver_timeout: "2s",
  wal_retrieve_retry_interval: "100ms",
};

export async function startReplica(primary: TroubledPostgres, folder: string, name: string) {
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

  /** Does something, and undoes it after a while. */
  function forAWhile(forMs: number, begin: () => Promise<unknown>, end: () => Promise<unknown>): Promise<void> {
    return inTurn(async () => {
      await begin();
      await sleep(forMs);
      await end();
    });
  }

  async function buildAgain(): Promise<void> {
    await replica.stop();
    await rm(dataDirectory, { recursive: true, force: true });
    // The primary may be away when it is to be copied.
    replica = await until("the replica to be built again", () => build().catch(() => undefined), {
      longestMs: 60_000,
      everyMs: 200,
    });
  }

  return {
    name,
    url: network.url,
    /** Past everything that is made to fail. */
    connection: { connectionString: direct },
    withClient: <T>(work: (client: pg.Client) => Promise<T>) => withClient(directly(direct), work),
    kill: (afterMs: number) =>
      inTurn(async () => {
        process.kill(await mainProcess(replica.cluster), "SIGKILL");
        await replica.halt();
        await sleep(afterMs);
        await replica.start();
      }),
    /** Halts all of its processes. */
    pause: (forMs: number) =>
      inTurn(async () => {
        const goOn = await haltAll(replica.cluster);
        await sleep(forMs);
        goOn();
      }),
    /** Between the servers and it: breaks all connections, or swallows what they carry. */
    cutOff: (how: "cut" | "swallow", forMs: number) => forAWhile(forMs, async () => network[how](), network.restore),
    pauseReplay: (forMs: number) =>
      forAWhile(
        forMs,
        () => on(direct, "select pg_wal_replay_pause()"),
        () => on(direct, "select pg_wal_replay_resume()"),
      ),
    /** Between it and the primary. */
    fallBehind: (forMs: number) => forAWhile(forMs, upstream.cut, upstream.restore),
    /** Makes a primary of it, which the servers still take for a replica, and then a new replica in its place. */
    promote: (forMs: number) =>
      // A conflict with recovery can end the statement, but not the promotion.
      forAWhile(forMs, () => on(direct, "select pg_promote()").catch(() => {}), buildAgain),
    /** Keeps it on its timeline while the primary begins another one, and then makes a new replica in its place. */
    leaveBehind(beginTimeline: () => Promise<void>, forMs: number): Promise<void> {
      const begin = async () => {
        await on(direct, "alter system set recovery_target_timeline = 'current'");
        await replica.halt();
        await replica.start();
        await beginTimeline();
      };
      return forAWhile(forMs, begin, buildAgain);
    },
    /** How many it has done since it was last built. A read is two of them. */
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

async function on(url: string, statement: string): Promise<{ count?: number }[]> {
  return withClient(directly(url), async (client) => (await client.query<{ count?: number }>(statement)).rows);
}

function directly(url: string): pg.ClientConfig {
  return { connectionString: url, connectionTimeoutMillis: 5_000 };
}
