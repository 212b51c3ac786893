import sql from "sql-template-tag";
import type { Connection } from "../database/database.ts";

/** Held exclusively by a change that must be made alone, and shared by those that are made side by side. */
const directoryLock = "7206381402113";

/** Waits until no other change of the directory is under way, and keeps others from beginning. */
export const lockDirectory = `select pg_advisory_xact_lock(${directoryLock})`;

/** One lock for each organization. Two organizations share one if their ids have the same hash of 32 bits. */
const organizationLocks = 720_638_142;

/**
 * Waits for changes of the same organizations, but not for those of others. If it isn't known which organizations change,
 * nothing else changes at the same time. docs/explanation/consistency.md says why changes that are made side by side don't
 * interfere with each other.
 */
export async function lockOrganizations(
  connection: Connection,
  organizations: ReadonlySet<string> | undefined,
): Promise<void> {
  if (organizations === undefined) {
    await connection.query({ text: lockDirectory, values: [] });
    return;
  }
  await Promise.all([
    connection.query({ text: `select pg_advisory_xact_lock_shared(${directoryLock})`, values: [] }),
    // In the order of the locks, so two requests never wait for each other.
    connection.query(sql`
      select count(pg_advisory_xact_lock(${organizationLocks}::integer, lock)) from (
        select distinct hashtext(id) as lock from unnest(${[...organizations]}::text[]) as id order by lock) ordered`),
  ]);
}
