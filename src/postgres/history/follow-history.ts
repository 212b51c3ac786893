import type pg from "pg";
import sql, { raw } from "sql-template-tag";
import { withOwnConnection } from "../database/own-connection.ts";
import { type History, readHistory } from "./read-history.ts";
import { type Moment, SequenceGaps } from "./sequence-gaps.ts";

/**
 * Reads the matching events: those so far, oldest first, and then each new one once it is committed. It misses none,
 * because it remembers which sequences are missing and may still come. One object follows one history. If the connection
 * breaks, call `read` again.
 */
export class Follower<Row extends { readonly sequence: string }> {
  readonly #history: History<Row>;
  readonly #print: (row: Row) => Promise<void>;
  /** Undefined until the past is being printed. */
  #gaps: SequenceGaps | undefined;

  constructor(history: History<Row>, print: (row: Row) => Promise<void>) {
    this.#history = history;
    this.#print = print;
  }

  /**
   * Reads on one connection what there is now.
   *
   * @param rest after that, resolves when to look again; rejects or resolves to false to end
   */
  read(connection: pg.ClientConfig, rest: () => Promise<boolean>): Promise<void> {
    return withOwnConnection(connection, async (client) => {
      if (this.#gaps === undefined) await this.#readPast(client);
      while (await rest()) while (!(await this.#readNew(client)));
    });
  }

  /** Everything it reads is from the same snapshot. If it breaks off, the rest is read as if it were new. */
  async #readPast(client: pg.ClientBase): Promise<void> {
    const { table } = this.#history;
    await client.query("begin isolation level repeatable read read only");
    const { rows } = await client.query<MomentRow & { highest: string }>(
      sql`select ${moment}, coalesce(max(sequence), 0) as highest from ${raw(table)}`,
    );
    const { xmin, xmax, highest } = toMoment(rows);
    // If no transaction is running, nothing that is missing can still come.
    const gaps = xmin === xmax ? [] : await findGaps(client, table, xmax);
    let printed = 0n;
    try {
      for await (const row of readHistory(client, this.#history)) {
        await this.#print(row);
        printed = BigInt(row.sequence);
      }
      printed = highest;
    } finally {
      const below = gaps.filter(({ first }) => first < printed);
      this.#gaps = new SequenceGaps(printed, below);
    }
    await client.query("commit");
  }

  /** Whether all new events were read. */
  async #readNew(client: pg.ClientBase): Promise<boolean> {
    const { table, columns, matches } = this.#history;
    const gaps = this.#gaps ?? new SequenceGaps(0n, []);
    const { after, first, last } = gaps.missing;
    const { rows } = await client.query<MomentRow & { is_event: boolean; matches: boolean } & Row>(sql`
      select ${moment}, e.sequence is not null as is_event, (${matches}) as matches, ${columns}
      from (values (0)) as always
      left join (
        select * from (
          (select * from ${raw(table)} where sequence > ${after.toString()}::bigint order by sequence limit ${atOnce})
          union all
          select e.*
          from unnest(${first.map(String)}::bigint[], ${last.map(String)}::bigint[]) as gap (first, last)
          join ${raw(table)} e on e.sequence between gap.first and gap.last
        ) e
        order by sequence
        limit ${atOnce}
      ) e on true
      order by e.sequence`);
    const events = rows.filter(({ is_event }) => is_event);
    for (const { xmin, xmax, is_event, matches: isMatch, ...event } of events) {
      if (isMatch) await this.#print(event as unknown as Row);
    }
    const isAll = events.length < atOnce;
    gaps.take(
      events.map(({ sequence }) => BigInt(sequence)),
      isAll,
      toMoment(rows),
    );
    return isAll;
  }
}

const atOnce = 1_000;

type MomentRow = { xmin: string; xmax: string };

/** The moment that a statement sees. */
const moment = sql`
  pg_snapshot_xmin(pg_current_snapshot())::text as xmin, pg_snapshot_xmax(pg_current_snapshot())::text as xmax`;

function toMoment(rows: readonly (MomentRow & { highest?: string })[]): Moment & { highest: bigint } {
  const [row] = rows;
  if (row === undefined) throw new Error("a statement that always returns a row returned none");
  return { xmin: BigInt(row.xmin), xmax: BigInt(row.xmax), highest: BigInt(row.highest ?? 0) };
}

async function findGaps(client: pg.ClientBase, table: string, until: bigint) {
  const { rows } = await client.query<{ first: string; last: string }>(sql`
    select before + 1 as first, sequence - 1 as last
    from (select sequence, lag(sequence, 1, 0::bigint) over (order by sequence) as before from ${raw(table)}) s
    where sequence > before + 1`);
  return rows.map(({ first, last }) => ({ first: BigInt(first), last: BigInt(last), until }));
}
