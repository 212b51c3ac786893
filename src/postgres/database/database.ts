import type pg from "pg";
import type { Sql } from "sql-template-tag";
import { Refusal } from "../../authorization/refusal.ts";
import { type Connections, type ConnectionsOptions, type Load, openConnections } from "./connections.ts";
import { asRefusal, brokeConnection, lostStatement, sqlState, unavailable } from "./failures.ts";
import { graceMs, orGiveUp, streamOf } from "./give-up.ts";
import type { Statement } from "./prepared.ts";
import { begin, confirmBegin, SessionLost, statementLost } from "./session-mark.ts";

/** Runs one statement after the other on one connection; those that are asked for at once are sent at once. */
export type Connection = {
  query<Row extends pg.QueryResultRow>(statement: Sql | Statement): Promise<Row[]>;
};

export type Database = {
  /**
   * Runs one statement that only reads. An aborted signal cancels it inside Postgres and rejects with the signal's
   * reason. A statement whose connection broke, or lost its session, is run again on another one.
   */
  query<Row extends pg.QueryResultRow>(statement: Sql | Statement, signal: AbortSignal): Promise<Row[]>;
  /**
   * Commits what work did when it resolves, rolls it back when it throws or the signal aborts before the commit.
   * Work that met a deadlock, or whose connection broke or lost its session before the commit was sent, is done once
   * more, so it must do nothing but query. When the connection breaks later, nobody knows whether the change is kept, and it is not.
   */
  transaction<T>(signal: AbortSignal, work: (connection: Connection) => Promise<T>): Promise<T>;
  load(): Load;
  close(): Promise<void>;
};

export function openDatabase(options: ConnectionsOptions): Database {
  const connections = openConnections(options);

  /** Repeats what left nothing behind. What could have been kept is never done twice. */
  async function again<T>(attempt: () => Promise<T>): Promise<T> {
    for (let number = 1; ; number += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (error instanceof SessionLost) connections.doubt();
        if (!leftNothing(error)) throw error;
        if (number === mostAttempts) throw asGivenUp(error);
      }
    }
  }

  async function withClient<T>(signal: AbortSignal, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await connections.acquire(signal);
    // Without a listener, a connection that breaks between two statements would end the process.
    client.on("error", ignore);
    let broken = false;
    try {
      return await work(client);
    } catch (error) {
      broken =
        error instanceof Lost ||
        error instanceof SessionLost ||
        (error instanceof Refusal && error.reason === "DATABASE_UNAVAILABLE");
      throw error;
    } finally {
      client.off("error", ignore);
      client.release(broken || streamOf(client).destroyed);
    }
  }

  return {
    query: (statement, signal) =>
      again(() => withClient(signal, (client) => runOn(connections, client, signal)(statement))),
    transaction: (signal, work) =>
      again(() =>
        withClient(signal, (client) => inTransaction(runOn(connections, client, signal), client, signal, work)),
      ),
    load: connections.load,
    close: connections.close,
  };
}

/** A connection broke in the middle, and what it was used for left nothing behind. */
class Lost extends Error {
  override readonly name = "Lost";
}

/** A transaction that Postgres undid to end a circle of waiting, or because others came first, left nothing behind. */
const undone = new Set(["40P01", "40001"]);

const mostAttempts = 3;

function leftNothing(error: unknown): boolean {
  return error instanceof Lost || error instanceof SessionLost || undone.has(sqlState(error) ?? "");
}

function asGivenUp(error: unknown): unknown {
  if (error instanceof Lost) return asRefusal(error.cause);
  if (error instanceof SessionLost) return unavailable(error);
  return new Refusal(
    "OVERLOADED",
    "too many requests are changing the same assignment; try again",
    {},
    { cause: error },
  );
}

/** Runs statements on a connection, each until its end or until the signal aborts. */
function runOn(connections: Connections, client: pg.PoolClient, signal: AbortSignal): Connection["query"] {
  return async <Row extends pg.QueryResultRow>(statement: Sql | Statement) => {
    signal.throwIfAborted();
    let cancelled: Promise<void> | undefined;
    let givingUp: NodeJS.Timeout | undefined;
    const cancel = () => {
      givingUp = setTimeout(() => streamOf(client).destroy(), graceMs);
      cancelled = connections.cancel(client);
    };
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const result = await client.query<Row>(statement);
      // Of several statements the last one's.
      return (Array.isArray(result) ? result.at(-1) : result).rows;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (lostStatement(error)) throw statementLost(error);
      throw brokeConnection(error) ? new Lost("the connection broke", { cause: error }) : asRefusal(error);
    } finally {
      signal.removeEventListener("abort", cancel);
      // A cancel that is still on its way would hit the next statement of this connection.
      await cancelled;
      clearTimeout(givingUp);
    }
  };
}

async function inTransaction<T>(
  run: Connection["query"],
  client: pg.PoolClient,
  signal: AbortSignal,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  // Sent together with the first statements, whose results count for nothing until the transaction has begun.
  const begun = confirmBegin(client, run(begin));
  const sent: Promise<unknown>[] = [begun];
  // Of statements that are to be cancelled any may be heard of first, when nobody waits for it yet.
  begun.catch(ignore);
  const query: Connection["query"] = (statement) => {
    const result = run<never>(statement);
    sent.push(result);
    result.catch(ignore);
    return begun.then(() => result);
  };
  try {
    const result = await work({ query });
    await begun;
    signal.throwIfAborted();
    await commit(client, signal);
    return result;
  } catch (error) {
    // A statement that is still to be cancelled must not take the rollback with it.
    const ends = await Promise.allSettled(sent);
    if (!streamOf(client).destroyed) await orGiveUp(client, client.query("rollback")).catch(ignore);
    throw sqlState(error) === afterFailure ? (lastFailure(ends) ?? error) : error;
  }
}

/** What Postgres answers to every statement behind one that failed. It says nothing of why. */
const afterFailure = "25P02";

/** Of statements that are sent together the one that failed may be heard of later than those behind it. */
function lastFailure(ends: readonly PromiseSettledResult<unknown>[]): unknown {
  const reasons = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
  return reasons.findLast((reason) => sqlState(reason) !== afterFailure);
}

/** Not abortable, and never done again: from here on only Postgres knows whether the change is kept. */
async function commit(client: pg.PoolClient, signal: AbortSignal): Promise<void> {
  let givingUp: NodeJS.Timeout | undefined;
  const giveUp = () => {
    givingUp = setTimeout(() => streamOf(client).destroy(), graceMs);
  };
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    const { command } = await client.query("commit");
    // Postgres answers so when a statement of the transaction had failed.
    if (command !== "COMMIT") throw new Error(`the transaction ended with ${command}`);
  } catch (error) {
    throw brokeConnection(error) ? outcomeUnknown(error) : asRefusal(error);
  } finally {
    signal.removeEventListener("abort", giveUp);
    clearTimeout(givingUp);
  }
}

function outcomeUnknown(cause: unknown): Refusal {
  const message = "the database went away during the commit: check whether the change was made before you try again";
  return new Refusal("DATABASE_UNAVAILABLE", message, {}, { cause });
}

function ignore(): void {}
