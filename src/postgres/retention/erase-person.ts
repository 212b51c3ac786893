import type pg from "pg";
import sql from "sql-template-tag";
import { commit } from "../pool/commit.ts";
import { sqlState } from "../pool/failures.ts";

/**
 * Takes the names of a removed user out of both histories.
 *
 * @param otherNames what else to look for in reasons and names of tokens
 * @returns how many events were changed, or why none were
 */
export async function erasePerson(
  client: pg.ClientBase,
  id: string,
  otherNames: readonly string[],
  { requestId, reason }: { readonly requestId: string; readonly reason: string },
): Promise<number | "exists" | "unknown"> {
  try {
    await client.query("begin isolation level read committed");
    const { rows } = await client.query<{ changed: number | null }>(sql`
      select erase_person(${id}, ${otherNames}::text[], ${requestId}::uuid, ${reason})::float8 as changed`);
    const changed = rows[0]?.changed ?? "unknown";
    // Reasons with the other names are changed before the user is looked for.
    if (changed === "unknown") await client.query("rollback");
    else await commit(client);
    return changed;
  } catch (error) {
    if (sqlState(error) === "55006") return "exists";
    throw error;
  }
}
