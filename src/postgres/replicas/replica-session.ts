import type pg from "pg";
import { takeSession } from "../pool/own-session.ts";
import { sessionSettings } from "../pool/session.ts";
import { readIdentity } from "./primary-snapshots.ts";

/** How many bytes a replica has yet to replay to the primary's position; zero or less if it has reached it. */
export type Position = { readonly missing: number | null };

/** What the replica is, and whether its snapshot may show a commit that the primary's snapshot doesn't show. */
export type Shown = {
  readonly is_replica: boolean;
  readonly timeline: number | null;
  readonly shows_more: boolean;
};

/** Prepares a new session with a replica. */
export async function prepareReplicaSession(client: pg.ClientBase, statementTimeoutMs: number): Promise<void> {
  await takeSession(client, `${sessionSettings(statementTimeoutMs)}; ${plannedOnce}; ${prepared}`);
  await readIdentity(client);
}

/**
 * Whether a transaction that had not ended on the primary has committed: one of a list, or one from a number on that the
 * replica has heard of. Postgres refuses to tell about others, which the snapshot doesn't show either. A transaction of
 * which it can't tell counts as committed, to be safe.
 */
const showsMore = (listed: string, from: string) => `
  exists (
    select from (
      select unnest(${listed}) as x
      union all
      select n::text::xid8
      from generate_series(${from}, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1) as n) as candidates
    where case when x < pg_snapshot_xmax(pg_current_snapshot())
      then coalesce(pg_xact_status(x), 'committed') = 'committed' else false end)`;

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
  prepare replica_position (pg_lsn) as
    select pg_wal_lsn_diff($1, pg_last_wal_replay_lsn())::float8 as missing;
  prepare replica_shows_more (xid8[], bigint) as
    select pg_is_in_recovery() as is_replica, ${timeline} as timeline, ${showsMore("$1", "$2")} as shows_more`;
