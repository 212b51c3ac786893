import type pg from "pg";
import type { Sql } from "sql-template-tag";
import { Refusal } from "../../authorization/refusal.ts";
import { commit } from "./commit.ts";
import { type Connections, type ConnectionsOptions, type Load, openConnections } from "./connections.ts";
import { asRefusal, sqlState, unavailable } from "./failures.ts";
import { graceMs, orGiveUp, streamOf } from "./give-up.ts";
import type { Statement } from "./prepared.ts";
import { Lost, sendOn, withClient } from "./running.ts";
import { begin, confirmBegin, SessionLost } from "./session-mark.ts";

/** Runs statements in order on one connection. Statements that are started together are sent together. */
export type Connection = {
  query<Row extends pg.QueryResultRow>(statement: Sql | Statement): Promise<Row[]>;
};

export type Database = {
  /**
   * Runs one statement that only reads. An aborted signal cancels it inside Postgres and rejects with the signal's
   * reason. If the connection breaks or loses its session, the statement is repeated on another one.
   */
  query<Row extends pg.QueryResultRow>(statement: Sql | Statement, signal: AbortSignal): Promise<Row[]>;
  /**
   * Commits the work when it resolves. Rolls it back if it throws, or the signal aborts before the commit. Work is
   * repeated once if it met a deadlock, or its connection broke or lost its session before the commit was sent, so it
   * must do nothing but query. If the connection breaks during the commit, no one knows whether the change was stored,
   * and the work is not repeated.
   */
  transaction<T>(signal: AbortSignal, work: (connection: Connection) => Promise<T>): Promise<T>;
  load(): Load;
  close(): Promise<void>;
};

export function openDatabase(options: ConnectionsOptions): Database {
  const connections = openConnections(options);

  /** Repeats attempts that left nothing behind. Work that could have been committed is never done twice. */
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

  return {
    query: (statement, signal) =>
      again(() => withClient(connections, signal, (client) => runOn(connections, client, signal)(statement))),
    transaction: (signal, work) =>
      again(() =>
        withClient(connections, signal, (client) =>
          inTransaction(runOn(connections, client, signal), client, signal, work),
        ),
      ),
    load: connections.load,
    close: connections.close,
  };
}

/** Deadlocks and serialization failures: Postgres has rolled the transaction back, so nothing is left behind. */
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

/** Resolves to the rows; for several statements, to those of the last one. */
function runOn(connections: Connections, client: pg.PoolClient, signal: AbortSignal): Connection["query"] {
  const send = sendOn(connections, client, signal);
  return async <Row extends pg.QueryResultRow>(statement: Sql | Statement) =>
    (await send<Row>(statement)).at(-1)?.rows ?? [];
}

async function inTransaction<T>(
  run: Connection["query"],
  client: pg.PoolClient,
  signal: AbortSignal,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  // Sent together with the first statements. Their results don't count until the transaction has begun.
  const begun = confirmBegin(client, run(begin));
  const sent: Promise<unknown>[] = [begun];
  // Cancelled statements can reject in any order, even before anything waits for this one.
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
    await commitWithin(client, signal);
    return result;
  } catch (error) {
    // A pending cancel must not hit the rollback.
    const ends = await Promise.allSettled(sent);
    if (!streamOf(client).destroyed) await orGiveUp(client, client.query("rollback")).catch(ignore);
    throw sqlState(error) === afterFailure ? (lastFailure(ends) ?? error) : error;
  }
}

/** Postgres' error for every statement after a failed one. It doesn't say why that one failed. */
const afterFailure = "25P02";

/** The cause: of statements sent together, the failed one may reject later than those after it. */
function lastFailure(ends: readonly PromiseSettledResult<unknown>[]): unknown {
  const reasons = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
  return reasons.findLast((reason) => sqlState(reason) !== afterFailure);
}

/** Can't be aborted and is never repeated: from here on, only Postgres knows whether the change is stored. */
async function commitWithin(client: pg.PoolClient, signal: AbortSignal): Promise<void> {
  let givingUp: NodeJS.Timeout | undefined;
  const giveUp = () => {
    givingUp = setTimeout(() => streamOf(client).destroy(), graceMs);
  };
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    await commit(client);
  } finally {
    signal.removeEventListener("abort", giveUp);
    clearTimeout(givingUp);
  }
}

function ignore(): void {}
