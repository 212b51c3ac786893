import sql from "sql-template-tag";
import type { Connection } from "../pool/database.ts";
import { StartOver } from "./start-over.ts";

/** Held exclusively by a change that must be made alone, and shared by those that are made side by side. */
const directoryLock = "7206381402113";

/** Waits until no other change of the directory is under way, and keeps others from beginning. */
export const lockDirectory = `select pg_advisory_xact_lock(${directoryLock})`;

/** For organizations that don't exist, by the hash of their id. All others are locked by their rows. */
const organizationLocks = 720_638_142;

type LockedOrganizations = {
  /** No one else changes anything in them. */
  readonly changed: ReadonlySet<string>;
  /** No one else refers to them either. */
  readonly removed: ReadonlySet<string>;
  /** No one else removes them. */
  readonly granted: ReadonlySet<string>;
};

/**
 * Waits for changes of the same organizations, but not for those of others. If it isn't known which organizations change,
 * nothing else changes at the same time. docs/explanation/consistency.md says why changes that are made side by side don't
 * interfere with each other. Throws StartOver if an organization was removed while this waited for it.
 */
export async function lockOrganizations(
  connection: Connection,
  organizations: LockedOrganizations | undefined,
): Promise<void> {
  if (organizations === undefined) {
    await connection.query({ text: lockDirectory, values: [] });
    return;
  }
  const { changed, removed, granted } = organizations;
  const [, missing, there] = await Promise.all([
    connection.query({ text: `select pg_advisory_xact_lock_shared(${directoryLock})`, values: [] }),
    connection.query<{ id: string }>(lockMissing([...changed])),
    connection.query<{ id: string | null }>(lockRows([...changed], [...removed], [...granted])),
  ]);
  const locked = new Set([...missing, ...there].map(({ id }) => id));
  if (!changed.isSubsetOf(locked)) throw new StartOver();
}

/** In the order of the locks, so two requests never wait for each other. */
const lockMissing = (ids: readonly string[]) => sql`
  select id, pg_advisory_xact_lock(${organizationLocks}::integer, hashtext(id)) is null as is_locked
  from (
    select id from unnest(${ids}::text[]) as asked (id)
    where not exists (select from organizations o where o.id = asked.id)
    order by hashtext(id)) ordered`;

/** Also in one order. Locks of grants and changes don't conflict, and locks of removals conflict with both. */
const lockRows = (changed: readonly string[], removed: readonly string[], granted: readonly string[]) => sql`
  select coalesce(r.id, c.id, g.id) as id
  from (
    select id, max(strength) as strength
    from (
      select unnest(${granted}::text[]) as id, 0 as strength
      union all
      select unnest(${changed}::text[]), 1
      union all
      select unnest(${removed}::text[]), 2) named
    group by id order by id) asked
  left join lateral (
    select o.id from organizations o where asked.strength = 2 and o.id = asked.id for update) r on true
  left join lateral (
    select o.id from organizations o where asked.strength = 1 and o.id = asked.id for no key update) c on true
  left join lateral (
    select o.id from organizations o where asked.strength = 0 and o.id = asked.id for key share) g on true`;
