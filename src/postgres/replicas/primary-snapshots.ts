import type pg from "pg";
import sql from "sql-template-tag";
import type { Connections } from "../pool/connections.ts";
import { firstRow } from "../pool/first-row.ts";
import { named } from "../pool/prepared.ts";
import { sendOn, withClient } from "../pool/running.ts";

/** What the primary showed at a moment, and where it was. docs/explanation/replicas.md explains how it is used. */
export type PrimarySnapshot = Readonly<Awaited<ReturnType<typeof ask>>>;

export type PrimarySnapshots = ReturnType<typeof primarySnapshots>;

/** How long the primary may take to answer, in milliseconds. Reads then go to it directly and wait as they may. */
const patienceMs = 2_000;

/**
 * Asks one question at a time, so the primary's work doesn't grow with the number of reads.
 *
 * @param connections one is enough
 */
export function primarySnapshots(connections: Connections) {
  let underWay: Promise<unknown> = Promise.resolve();
  /** The question after the one under way. It is not sent yet, so its answer is new enough for all who ask now. */
  let following: Promise<PrimarySnapshot> | undefined;

  function begin(): Promise<PrimarySnapshot> {
    following = undefined;
    const answer = ask(connections);
    underWay = answer.catch(() => {});
    return answer;
  }

  return {
    /** A snapshot that is taken after this call. All calls that wait for the primary's next answer share it. */
    next(): Promise<PrimarySnapshot> {
      following ??= underWay.then(begin);
      return following;
    },
    close: connections.close,
  };
}

type Answer = Readonly<Record<"flushed" | "timeline" | "snapshot" | "time", string>>;

function ask(connections: Connections) {
  const signal = AbortSignal.timeout(patienceMs);
  return withClient(connections, signal, async (client) => {
    const askedAt = performance.now();
    const send = sendOn(connections, client, signal);
    const identity = identities.get(client) ?? (await readIdentity(client));
    const { flushed, timeline, snapshot, time } = firstRow(firstRow(await send<Answer>(selectSnapshot)).rows);
    // What Postgres prints: the first transaction that is running, the next one, and those running in between.
    const [, next = "", running = ""] = snapshot.split(":");
    return {
      /** The database, its timeline and its schema. */
      identity,
      timeline: Number.parseInt(timeline, 16),
      /** Everything the snapshot shows had been written up to here. */
      flushed,
      /** The transactions that had not ended: these, and all from `next` on. */
      running: new Set(running === "" ? [] : running.split(",").map(BigInt)),
      next: BigInt(next),
      /** The primary's clock, as a timestamptz. */
      time,
      /** The moment when this process asked for it, as performance.now() has it. */
      askedAt,
    };
  });
}

/**
 * The functions are called after the statement's snapshot was taken. What a snapshot shows has been flushed before, so
 * the position covers it.
 */
const selectSnapshot = named(
  "primary snapshot",
  sql`
  select pg_current_wal_flush_lsn()::text as flushed, left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) as timeline,
    pg_current_snapshot()::text as snapshot, clock_timestamp()::text as time`,
);

/** Which database, of which cluster, and which schema in it: the same on a primary and its replicas. */
export async function readIdentity(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ identity: string }>(selectIdentity);
  const identity = rows[0]?.identity ?? "";
  identities.set(client, identity);
  return identity;
}

export function identityOf(client: pg.ClientBase): string | undefined {
  return identities.get(client);
}

const identities = new WeakMap<pg.ClientBase, string>();

const selectIdentity = `
  select concat_ws(' ', (select system_identifier from pg_control_system()), oid, current_schema()) as identity
  from pg_database where datname = current_database()`;
