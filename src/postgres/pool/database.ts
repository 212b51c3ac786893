import type pg from "pg";
import { Refusal } from "../../authorization/refusal.ts";
import { committing } from "./commit.ts";
import { type ConnectionsOptions, type Load, openConnections } from "./connections.ts";
import { asRefusal, sqlState } from "./failures.ts";
import { type FoundSession, requireOwn, selectSession } from "./own-session.ts";
import type { Statement } from "./prepared.ts";
import { Lost, rowsOn, withClient } from "./running.ts";
import { inTransaction } from "./transaction.ts";

/** Runs statements in order on one connection. Statements that are started together are sent together. */
export type Connection = {
  query<Row extends pg.QueryResultRow>(statement: Statement): Promise<Row[]>;
};

export type Database = {
  /**
   * Runs one statement that only reads. An aborted signal cancels it inside Postgres and rejects with the signal's
   * reason. If the connection breaks, the statement is repeated on another one.
   */
  query<Row extends pg.QueryResultRow>(statement: Statement, signal: AbortSignal): Promise<Row[]>;
  /**
   * Runs one statement that writes, and commits it. It is repeated if it met a deadlock. If the connection breaks, no one
   * knows whether the change was stored, and the statement is not repeated.
   */
  write<Row extends pg.QueryResultRow>(statement: Statement, signal: AbortSignal): Promise<Row[]>;
  /**
   * Commits the work when it resolves. Rolls it back if it throws, or the signal aborts before the commit. Work is
   * repeated if it met a deadlock, or its connection broke before the commit was sent, so it must do nothing but query.
   * If the connection breaks during the commit, no one knows whether the change was stored, and the work is not repeated.
   */
  transaction<T>(signal: AbortSignal, work: (connection: Connection) => Promise<T>): Promise<T>;
  load(): Load;
  close(): Promise<void>;
};

/** A database whose connections can be checked. */
export type PooledDatabase = Database & {
  /** Rejects if a connection no longer has the session it had when it was new, and closes that connection. */
  checkSession(signal: AbortSignal): Promise<void>;
};

export function openDatabase(options: ConnectionsOptions): PooledDatabase {
  const connections = openConnections(options);

  /** Repeats attempts that left nothing behind. Work that could have been committed is never done twice. */
  async function again<T>(attempt: () => Promise<T>): Promise<T> {
    for (let number = 1; ; number += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof Lost) && !undone.has(sqlState(error) ?? "")) throw error;
        if (number === mostAttempts) throw asGivenUp(error);
      }
    }
  }

  return {
    query: (statement, signal) =>
      again(() => withClient(connections, signal, (client) => rowsOn(connections, client, signal)(statement))),
    write: (statement, signal) =>
      again(() =>
        withClient(connections, signal, (client) =>
          committing(client, () => rowsOn(connections, client, signal)(statement)),
        ),
      ),
    transaction: (signal, work) =>
      again(() => withClient(connections, signal, (client) => inTransaction(connections, client, signal, work))),
    checkSession: (signal) =>
      withClient(connections, signal, async (client) => {
        const [found] = await rowsOn(connections, client, signal)<FoundSession>(selectSession);
        try {
          requireOwn(client, found);
        } catch (error) {
          options.onIdleError(error as Error);
          throw error;
        }
      }),
    load: connections.load,
    close: connections.close,
  };
}

/** Deadlocks and serialization failures: Postgres has rolled the transaction back, so nothing is left behind. */
const undone = new Set(["40P01", "40001"]);

const mostAttempts = 3;

function asGivenUp(error: unknown): unknown {
  if (error instanceof Lost) return asRefusal(error.cause);
  const message = "too many requests are changing the same assignment; try again";
  return new Refusal("OVERLOADED", message, {}, { cause: error });
}
