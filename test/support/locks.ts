import pg from "pg";
import { onTestFinished } from "vitest";
import type { TestDatabase } from "./database.ts";
import { until } from "./until.ts";

type Work = () => Promise<unknown>;
type ResultsOf<Works> = {
  -readonly [Index in keyof Works]: Works[Index] extends () => Promise<infer Result> ? Result : never;
};

export type HeldTransaction = Awaited<ReturnType<typeof hold>>;

/**
 * Begins a transaction beside the service and runs a statement in it, for example one that takes a lock. It keeps what it
 * locked and changed to itself until it ends, with the test at last.
 */
export async function hold(database: TestDatabase, text: string, values?: unknown[]) {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  // A test that fails before the end of the transaction must not hold up the next one.
  onTestFinished(() => client.end());
  await client.query("begin");
  await client.query(text, values);
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const pid = rows[0]?.pid;

  async function end(how: "commit" | "rollback"): Promise<void> {
    await client.query(how);
    await client.end();
  }

  async function untilWaiting(sessions: number, longestMs = 30_000): Promise<void> {
    const waiting = () => database.query<{ count: number }>(countWaiting, [pid]);
    const areWaiting = async () => (await waiting())[0]?.count === sessions;
    await until(`${sessions} sessions to wait`, areWaiting, { longestMs, everyMs: 0 });
  }

  return {
    async query(...statement: [text: string, values?: unknown[]]) {
      await client.query(...statement);
    },
    /** Resolves as soon as this many sessions wait for locks of this transaction, directly or behind one another. */
    untilWaiting,
    /**
     * Begins works one after the other, each once all before it wait for this transaction, and commits when the last one waits.
     * Resolves to their results.
     */
    async holdUp<Works extends readonly Work[] | []>(works: Works): Promise<ResultsOf<Works>> {
      const begun: Promise<unknown>[] = [];
      for (const work of works) {
        begun.push(work());
        await untilWaiting(begun.length);
      }
      await end("commit");
      return (await Promise.all(begun)) as ResultsOf<Works>;
    },
    commit: () => end("commit"),
    rollback: () => end("rollback"),
  };
}

/** The processes of the sessions that wait for a lock at the moment. */
export async function waitingSessions(database: TestDatabase): Promise<number[]> {
  const rows = await database.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' order by pid",
  );
  return rows.map(({ pid }) => pid);
}

/** How often Postgres ended a circle of waiting in this database. */
export async function deadlocksIn(database: TestDatabase): Promise<number> {
  await database.query("select pg_stat_force_next_flush()");
  const [row] = await database.query<{ deadlocks: string }>(
    "select deadlocks from pg_stat_database where datname = current_database()",
  );
  return Number(row?.deadlocks);
}

const countWaiting = `
  with recursive waiting (pid) as (
    select $1::integer
    union
    select a.pid from pg_stat_activity a join waiting w on w.pid = any(pg_blocking_pids(a.pid))
    where a.datname = current_database()
  )
  select count(*)::integer - 1 as count from waiting`;
