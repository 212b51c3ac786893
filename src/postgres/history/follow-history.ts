import type pg from "pg";
import sql, { raw } from "sql-template-tag";
import { withOwnConnection } from "../pool/own-connection.ts";
import { type History, readHistory } from "./read-history.ts";
import { SequenceGaps } from "./sequence-gaps.ts";

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
  /** The event with the highest sequence that was read, to recognize it. */
  #newest: EventId | undefined;

  constructor(history: History<Row>, print: (row: Row) => Promise<void>) {
    this.#history = history;
    this.#print = print;
  }

  /**
   * Reads on one connection what there is now. Throws `EventsLost` if the newest event that was read is gone.
   *
   * @param rest after that, resolves when to look again; rejects or resolves to false to end
   * @param Client makes the connection
   */
  read(connection: pg.ClientConfig, rest: () => Promise<boolean>, Client?: new () => pg.Client): Promise<void> {
    const work = async (client: pg.Client) => {
      if (this.#newest !== undefined) await this.#requireStill(client, this.#newest);
      if (this.#gaps === undefined) await this.#readPast(client);
      while (await rest()) while (!(await this.#readNew(client)));
    };
    return withOwnConnection(connection, work, Client);
  }

  /**
   * A promoted standby that lacks events gives their sequences to others, which would be taken for known ones. What was
   * archived since can't be compared.
   */
  async #requireStill(client: pg.ClientBase, { sequence, request_id }: EventId): Promise<void> {
    const { rows } = await client.query(sql`
      select from ${raw(this.#history.table)}
      where sequence = ${sequence}::bigint and request_id = ${request_id}::uuid
      union all
      select from kept_history where ${raw(firstKept[this.#history.table])} > ${sequence}::bigint`);
    if (rows.length === 0) throw new EventsLost(sequence);
  }

  /** Everything it reads is from the same snapshot. If it breaks off, the rest is read as if it were new. */
  async #readPast(client: pg.ClientBase): Promise<void> {
    const { table } = this.#history;
    await client.query("begin isolation level repeatable read read only");
    const { rows } = await client.query<{ highest: string; request_id: string | null }>(sql`
      select coalesce(sequence, 0) as highest, request_id
      from (values (0)) as always
      left join (select sequence, request_id from ${raw(table)} order by sequence desc limit 1) newest on true`);
    const highest = BigInt(rows[0]?.highest ?? 0);
    const gaps = await findGaps(client, table);
    let printed = 0n;
    try {
      for await (const row of readHistory(client, this.#history)) {
        await this.#print(row);
        printed = BigInt(row.sequence);
      }
      printed = highest;
    } finally {
      const below = gaps.filter(({ first }) => first < printed);
      const request_id = rows[0]?.request_id;
      if (printed === highest && request_id) this.#newest = { sequence: String(highest), request_id };
      this.#gaps = new SequenceGaps(printed, below);
    }
    await client.query("commit");
  }

  /** Whether all new events were read. */
  async #readNew(client: pg.ClientBase): Promise<boolean> {
    const { table, columns, matches } = this.#history;
    const gaps = this.#gaps ?? new SequenceGaps(0n, []);
    const { after, first, last } = gaps.missing;
    const { rows } = await client.query<MomentRow & NewRow & Row>(sql`
      select pg_snapshot_xmin(pg_current_snapshot())::text as xmin, e.sequence is not null as is_event, (${matches}) as matches, e.request_id, ${columns}
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
    for (const { xmin, is_event, matches: isMatch, request_id, ...event } of events) {
      if (isMatch) await this.#print(event as unknown as Row);
      const { sequence } = event as unknown as Row;
      if (BigInt(sequence) > BigInt(this.#newest?.sequence ?? 0)) this.#newest = { sequence, request_id };
    }
    const isAll = events.length < atOnce;
    gaps.take(
      events.map(({ sequence }) => BigInt(sequence)),
      isAll,
      BigInt(rows[0]?.xmin ?? 0),
    );
    if (gaps.areUnbounded) gaps.bound(await takeId(client));
    return isAll;
  }
}

/** What was read is no longer the history of this database. */
export class EventsLost extends Error {
  constructor(sequence: string) {
    super(
      `the event with the sequence ${sequence} is gone, as after a fail-over that lost it, or after it was archived: compare what was printed with the history, and start again`,
    );
  }
}

const atOnce = 1_000;

const firstKept = { kept_events: "first_event", kept_directory_events: "first_directory_event" } as const;

type EventId = { readonly sequence: string; readonly request_id: string };
type NewRow = { readonly is_event: boolean; readonly matches: boolean; readonly request_id: string };
type MomentRow = { xmin: string };

/** A new transaction's id. Those that have begun before have lower ones. */
async function takeId(client: pg.ClientBase): Promise<bigint> {
  const { rows } = await client.query<{ id: string }>("select pg_current_xact_id()::text as id");
  return BigInt(rows[0]?.id ?? 0);
}

async function findGaps(client: pg.ClientBase, table: string) {
  const { rows } = await client.query<{ first: string; last: string }>(sql`
    select before + 1 as first, sequence - 1 as last
    from (select sequence, lag(sequence, 1, 0::bigint) over (order by sequence) as before from ${raw(table)}) s
    where sequence > before + 1`);
  return rows.map(({ first, last }) => ({ first: BigInt(first), last: BigInt(last) }));
}
