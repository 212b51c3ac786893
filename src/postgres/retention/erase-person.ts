import type pg from "pg";
import sql from "sql-template-tag";
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
    const { rows } = await client.query<{ changed: number | null }>(sql`
      select erase_person(${id}, ${otherNames}::text[], ${requestId}::uuid, ${reason})::float8 as changed`);
    return rows[0]?.changed ?? "unknown";
  } catch (error) {
    if (sqlState(error) === "55006") return "exists";
    throw error;
  }
}
