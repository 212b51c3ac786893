import type pg from "pg";
import sql from "sql-template-tag";

/**
 * Resolves once no transaction can still append events with sequences that were taken before. Every change has a
 * transaction id before it takes a sequence, so it is enough that all transactions with an earlier id than a new one have
 * ended. What a snapshot says is its end would be too early: transactions that run may have later ids.
 *
 * @param rest after that, resolves when to look again
 */
export async function untilFinal(client: pg.ClientBase, rest: () => Promise<unknown>): Promise<void> {
  const { rows: now } = await client.query<{ id: string }>("select pg_current_xact_id()::text as id");
  const isOver = sql`select pg_snapshot_xmin(pg_current_snapshot()) > ${now[0]?.id}::xid8 as is_over`;
  while (!(await client.query<{ is_over: boolean }>(isOver)).rows[0]?.is_over) await rest();
}
