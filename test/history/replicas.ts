import { setTimeout as sleep } from "node:timers/promises";
import { startReplica } from "../support/replicated.ts";
import type { TroubledPostgres } from "./postgres.ts";

/** A replica that can be ill-treated. Each way ends with the replica as it was before. */
export type TroubledReplica = Awaited<ReturnType<typeof startTroubledReplica>>;

const settings = { max_connections: "40", wal_receiver_timeout: "2s", wal_retrieve_retry_interval: "100ms" };

export async function startTroubledReplica(primary: TroubledPostgres, name: string) {
  const replica = await startReplica(name, { primary, settings, folder: primary.folder });
  const { url, connection, network, upstream, query, withClient } = replica;
  let busy: Promise<unknown> = Promise.resolve();

  /** Does something, and undoes it after a while. One thing at a time: a replica that is being built again can't be paused. */
  function forAWhile<T>(forMs: number, begin: () => Promise<T>, end: (begun: T) => unknown): Promise<void> {
    const done = busy.then(async () => {
      const begun = await begin();
      await sleep(forMs);
      await end(begun);
    });
    busy = done.catch(() => {});
    return done;
  }

  return {
    ...{ name, url, connection, withClient },
    kill: (afterMs: number) => forAWhile(afterMs, replica.kill, replica.start),
    /** Halts all of its processes. */
    pause: (forMs: number) => forAWhile(forMs, replica.pause, (goOn) => goOn()),
    /** Between the servers and it: breaks all connections, or swallows what they carry. */
    cutOff: (how: "cut" | "swallow", forMs: number) => forAWhile(forMs, async () => network[how](), network.restore),
    pauseReplay: (forMs: number) => forAWhile(forMs, replica.pauseReplay, () => query("select pg_wal_replay_resume()")),
    /** Between it and the primary. */
    fallBehind: (forMs: number) => forAWhile(forMs, upstream.cut, upstream.restore),
    /** Makes a primary of it, which the servers still take for a replica, and then a new replica in its place. */
    promote: (forMs: number) =>
      // A conflict with recovery can end the statement, but not the promotion.
      forAWhile(forMs, () => query("select pg_promote()").catch(() => {}), replica.rebuild),
    /** Keeps it on its timeline while the primary begins another one, and then makes a new replica in its place. */
    leaveBehind(beginTimeline: () => Promise<void>, forMs: number): Promise<void> {
      const begin = async () => {
        await query("alter system set recovery_target_timeline = 'current'");
        await replica.halt();
        await replica.start();
        await beginTimeline();
      };
      return forAWhile(forMs, begin, replica.rebuild);
    },
    /** How many it has done since it was last built. A read is two of them. */
    async transactions() {
      await busy;
      const rows = await query<{ count: number }>("select sum(xact_commit)::integer as count from pg_stat_database");
      return Number(rows[0]?.count);
    },
    async stop() {
      await busy;
      await replica.stop();
    },
  };
}
