import type pg from "pg";
import { sessionSettings } from "../pool/session.ts";
import { confirmSession, markSession } from "../pool/session-mark.ts";
import { readIdentity } from "./primary-snapshots.ts";

/** The row of `replica_before`: how far the replica is, and which transactions it certainly shows from now on. */
export type Before = {
  /** How many bytes it has yet to replay to the primary's position; zero or less if it has reached it. */
  readonly missing: number | null;
  readonly shown: string;
};

/** The row of `replica_within`: what the replica is, and which transactions its snapshot may show. */
export type Within = {
  readonly is_replica: boolean;
  readonly timeline: number | null;
  readonly shown: string;
};

/** Prepares a new session with a replica. Resolves to whether the session was already marked. */
export async function prepareReplicaSession(client: pg.ClientBase, statementTimeoutMs: number): Promise<boolean> {
  const wasMarked = await markSession(client, `${sessionSettings(statementTimeoutMs)}; ${plannedOnce}; ${prepared}`);
  await confirmSession(client);
  await readIdentity(client);
  return wasMarked;
}

/**
 * Of some transactions, those that have committed: of a list, and of all from a number on that the replica has heard of.
 * Postgres refuses to tell about others. A transaction of which it can't tell counts as committed, to be safe.
 */
const committed = (listed: string, from: string) => `
  (select coalesce(string_agg(x::text, ',' order by x), '')
  from (
    select unnest(${listed}) as x
    union all
    select n::text::xid8
    from generate_series(${from}, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1) as n) as candidates
  where case when x < pg_snapshot_xmax(pg_current_snapshot()) then coalesce(pg_xact_status(x), 'committed') = 'committed'
    else false end)`;

/**
 * Without the right to see it, the timeline that is being received is null. The control file knows one that the replica
 * has certainly reached.
 */
const timeline = `
  coalesce((select received_tli from pg_stat_get_wal_receiver()), (
    select greatest(c.timeline_id, r.min_recovery_end_timeline) from pg_control_checkpoint() c, pg_control_recovery() r))`;

/** Planning these statements again each time would take as long as all the rest of them. */
const plannedOnce = "set plan_cache_mode = force_generic_plan";

/** For what a transaction reads after them. */
export const usualPlans = "set local plan_cache_mode to default";

const prepared = `
  prepare replica_before (pg_lsn, xid8[], bigint) as
    select pg_wal_lsn_diff($1, pg_last_wal_replay_lsn())::float8 as missing, ${committed("$2", "$3")} as shown;
  prepare replica_within (xid8[], bigint) as
    select pg_is_in_recovery() as is_replica, ${timeline} as timeline, ${committed("$1", "$2")} as shown`;
