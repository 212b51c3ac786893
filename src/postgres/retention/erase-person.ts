import type pg from "pg";
import sql from "sql-template-tag";
import { commit } from "../pool/commit.ts";
import { sqlState } from "../pool/failures.ts";

/** Whom to erase, and which other names to look for in reasons and names of tokens. */
type Erasure = { readonly id: string; readonly otherNames: readonly string[]; readonly dryRun: boolean };

/**
 * Takes the names of a removed user out of both histories. A dry run does the same, and takes it back.
 *
 * @returns how many events were changed, or why none were
 */
export async function erasePerson(
  client: pg.ClientBase,
  { id, otherNames, dryRun }: Erasure,
  { requestId, reason }: { readonly requestId: string; readonly reason: string },
): Promise<number | "exists" | "unknown"> {
  try {
    await client.query("begin isolation level read committed");
    const { rows } = await client.query<{ changed: number | null }>(sql`
      select erase_person(${id}, ${otherNames}::text[], ${requestId}::uuid, ${reason})::float8 as changed`);
    const changed = rows[0]?.changed ?? "unknown";
    // Reasons with the other names are changed before the user is looked for.
    if (changed === "unknown" || dryRun) await client.query("rollback");
    else await commit(client);
    return changed;
  } catch (error) {
    if (sqlState(error) === "55006") return "exists";
    throw error;
  }
}
