import sql from "sql-template-tag";
import type { Database } from "../pool/database.ts";
import { isDue } from "../pool/expiry.ts";
import { firstRow } from "../pool/first-row.ts";

/** Numbers that show operators how much is stored and whether it grows. Each comes from an index or a stored total. */
export type GaugeValues = {
  /** The highest sequence, so archived events count, and so do a few numbers of changes that failed. */
  readonly events: number;
  readonly active: number;
  readonly inactive: number;
};

export async function readGaugeValues(database: Pick<Database, "query">, signal: AbortSignal): Promise<GaugeValues> {
  const values = await database.query<GaugeValues>(
    sql`
      select
        (select greatest((select max(sequence) from events), first_event - 1, 0) from kept_history)::float8 as events,
        (select coalesce(sum(number), 0) - (${due}) from numbers
         where kind = 'state' and organization_id = '' and project_id = '' and key = 'active')::float8 as active,
        (select coalesce(sum(number), 0) + (${due}) from numbers
         where kind = 'state' and organization_id = '' and project_id = '' and key = 'inactive')::float8 as inactive`,
    signal,
  );
  return firstRow(values);
}

/** The ends that have passed and that the stored totals don't know yet. */
const due = sql`select count(*) from authorizations a where ${isDue(sql`a`, sql`now()`)}`;
