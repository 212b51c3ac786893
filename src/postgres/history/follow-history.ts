import type pg from "pg";
import sql, { raw } from "sql-template-tag";
import { withOwnConnection } from "../pool/own-connection.ts";
import { untilFinal } from "../pool/until-final.ts";
import { type History, type HistoryRow, readHistory } from "./read-history.ts";

/**
 * Reads the matching events: those so far, and then new ones, in the order of their sequences. Changes take their
 * sequences before they commit, so an event is read once no transaction is left that could append an earlier one. One
 * object follows one history. If the connection breaks, call `read` again.
 */
export class Follower<Row extends HistoryRow> {
  readonly #history: History<Row>;
  readonly #print: (row: Row) => Promise<void>;
  /** The last event that was printed or didn't match. */
  #last: EventId | undefined;

  constructor(history: History<Row>, print: (row: Row) => Promise<void>) {
    this.#history = history;
    this.#print = print;
  }

  /**
   * Reads on one connection what there is now. Throws `EventsLost` if the last event that was read is gone.
   *
   * @param rest after that, resolves when to look again; rejects or resolves to false to end
   * @param Client makes the connection
   */
  read(connection: pg.ClientConfig, rest: () => Promise<boolean>, Client?: new () => pg.Client): Promise<void> {
    const work = async (client: pg.Client) => {
      if (this.#last !== undefined) await this.#requireStill(client, this.#last);
      do await this.#readNew(client);
      while (await rest());
    };
    return withOwnConnection(connection, work, Client);
  }

  /**
   * A promoted standby that lacks events gives their sequences to others, which would be taken for known ones. What was
   * archived since can't be compared.
   */
  async #requireStill(client: pg.ClientBase, { sequence, requestId }: EventId): Promise<void> {
    const { rows } = await client.query(sql`
      select from ${raw(this.#history.table)}
      where sequence = ${sequence}::bigint and coalesce(request_id::text, '') = ${requestId}::text
      union all
      select from kept_history where ${raw(firstKept[this.#history.table])} > ${sequence}::bigint`);
    if (rows.length === 0) throw new EventsLost(sequence);
  }

  async #readNew(client: pg.ClientBase): Promise<void> {
    const { rows } = await client.query<EventId>(`
      select sequence, coalesce(request_id::text, '') as "requestId" from ${this.#history.table} order by sequence desc limit 1`);
    const [newest] = rows;
    const after = this.#last?.sequence ?? "0";
    if (newest === undefined || BigInt(newest.sequence) <= BigInt(after)) return;
    await untilFinal(client, () => new Promise((resolve) => setTimeout(resolve, pauseMs)));
    await client.query("begin isolation level repeatable read read only");
    for await (const row of readHistory(client, this.#history, { after, to: newest.sequence })) {
      await this.#print(row);
      this.#last = row;
    }
    await client.query("commit");
    this.#last = newest;
  }
}

/** How long to wait until the next look at transactions that are still running, in milliseconds. */
const pauseMs = 100;

/** What was read is no longer the history of this database. */
export class EventsLost extends Error {
  constructor(sequence: string) {
    super(
      `the event with the sequence ${sequence} is gone, as after a fail-over that lost it, or after it was archived: compare what was printed with the history, and start again`,
    );
  }
}

const firstKept = { kept_events: "first_event", kept_directory_events: "first_directory_event" } as const;

type EventId = Pick<HistoryRow, "sequence" | "requestId">;
