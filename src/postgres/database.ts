import type { Duplex } from "node:stream";
import pg from "pg";
import type { Sql } from "sql-template-tag";
import { Refusal } from "../authorization/refusal.ts";
import { asRefusal, sqlState } from "./failures.ts";
import { parseInstant } from "./instants.ts";

export type DatabaseOptions = {
  readonly connection: pg.ClientConfig;
  /** How many connections are kept at most, besides one for cancelling. */
  readonly poolSize: number;
  /** The backstop for statements whose cancellation did not arrive, in milliseconds. */
  readonly statementTimeoutMs: number;
  /** Hears of connections that broke while nobody used them. */
  readonly onIdleError: (error: Error) => void;
};

/** A statement; one with a name is prepared once on each connection. */
export type Statement = { readonly name?: string; readonly text: string; readonly values: unknown[] };

/** Runs one statement after the other on one connection; those that are asked for at once are sent at once. */
export type Connection = {
  query<Row extends pg.QueryResultRow>(statement: Sql | Statement): Promise<Row[]>;
};

export type Database = {
  /** Runs one statement. An aborted signal cancels it inside Postgres and rejects with the signal's reason. */
  query<Row extends pg.QueryResultRow>(statement: Sql | Statement, signal: AbortSignal): Promise<Row[]>;
  /**
   * Commits what work did when it resolves, rolls it back when it throws or the signal aborts before the commit.
   * Work that met a deadlock is done once more, so it must do nothing but query.
   */
  transaction<T>(signal: AbortSignal, work: (connection: Connection) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** Requests that may wait for each connection before the next one is refused as OVERLOADED. */
const waitingPerConnection = 20;

/** How long a cancelled statement may take to end before its connection is given up. */
const cancelGraceMs = 2_000;

/** Gives a fixed statement its name, which prepares it once on each connection. */
export function named(name: string, { text, values }: Sql): Statement {
  return { name, text, values };
}

/**
 * Names a statement that is put together, by its text, and so keeps Postgres from planning it each time. For statements
 * whose plan does not depend on their values. Each is kept on every connection, so only as many as are worth it.
 */
export function namedByText({ text, values }: Sql): Statement {
  const known = namesByText.get(text);
  if (known !== undefined) return { name: known, text, values };
  if (namesByText.size >= mostNames) return { text, values };
  const name = `shape ${namesByText.size + 1}`;
  namesByText.set(text, name);
  return { name, text, values };
}

const namesByText = new Map<string, string>();
const mostNames = 100;

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    ...withTypes(options.connection),
    // A statement is sent without waiting for the answer to the one before; Postgres takes them in order.
    pipeline: true,
    max: options.poolSize,
    // No request waits longer; an attempt to connect that nobody answers must not keep its place for ever.
    connectionTimeoutMillis: options.statementTimeoutMs,
    onConnect: prepareSession(options),
  });
  // Cancelling must not wait for the connections that are to be freed.
  const cancelling = new pg.Pool({
    ...options.connection,
    max: 1,
    idleTimeoutMillis: 0,
    // A network that swallows everything must not keep the connections that wait for their cancel.
    connectionTimeoutMillis: cancelGraceMs,
    query_timeout: cancelGraceMs,
  });
  for (const each of [pool, cancelling]) each.on("error", options.onIdleError);

  let waiting = 0;

  async function acquire(signal: AbortSignal): Promise<pg.PoolClient> {
    // The pool's own count goes on counting those that gave up.
    if (waiting >= options.poolSize * waitingPerConnection) {
      throw new Refusal("OVERLOADED", "too many requests are waiting, try again");
    }
    waiting += 1;
    const connecting = pool.connect();
    try {
      return await abortable(connecting, signal);
    } catch (error) {
      // Nobody waits for this connection any more; it must not be lost to the pool.
      connecting.then((late) => late.release(), ignore);
      throw asRefusal(error);
    } finally {
      waiting -= 1;
    }
  }

  async function run<Row extends pg.QueryResultRow>(
    client: pg.PoolClient,
    statement: Sql | Statement,
    signal: AbortSignal,
  ): Promise<Row[]> {
    signal.throwIfAborted();
    let cancelled: Promise<void> | undefined;
    let givingUp: NodeJS.Timeout | undefined;
    const cancel = () => {
      givingUp = setTimeout(() => streamOf(client).destroy(), cancelGraceMs);
      cancelled = cancelStatement(cancelling, client);
    };
    signal.addEventListener("abort", cancel, { once: true });
    try {
      return (await client.query<Row>(statement)).rows;
    } catch (error) {
      throw signal.aborted ? signal.reason : asRefusal(error);
    } finally {
      signal.removeEventListener("abort", cancel);
      // A cancel that is still on its way would hit the next statement of this connection.
      await cancelled;
      clearTimeout(givingUp);
    }
  }

  async function withClient<T>(signal: AbortSignal, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await acquire(signal);
    // Without a listener, a connection that breaks between two statements would end the process.
    client.on("error", ignore);
    let broken = false;
    try {
      return await work(client);
    } catch (error) {
      broken = error instanceof Refusal && error.reason === "DATABASE_UNAVAILABLE";
      throw error;
    } finally {
      client.off("error", ignore);
      client.release(broken || streamOf(client).destroyed);
    }
  }

  return {
    query: (statement, signal) => withClient(signal, (client) => run(client, statement, signal)),
    transaction: (signal, work) =>
      withClient(signal, (client) => {
        const connection: Connection = { query: (statement) => run(client, statement, signal) };
        return retrying(() => inTransaction(connection, client, signal, work));
      }),
    async close() {
      await Promise.all([pool.end(), cancelling.end()]);
    },
  };
}

/** The settings every session of this service relies on. */
export function sessionSettings(statementTimeoutMs: number): string {
  return `
    set timezone = 'UTC';
    set datestyle = 'ISO';
    set default_transaction_isolation = 'read committed';
    set jit = off;
    set random_page_cost = 1.1;
    set statement_timeout = ${statementTimeoutMs};
    set idle_in_transaction_session_timeout = ${statementTimeoutMs};
    set client_connection_check_interval = '1s'`;
}

/** Reads timestamps to the microsecond on the clients made from this configuration. */
export function withTypes(connection: pg.ClientConfig): pg.ClientConfig {
  const timestamptz: number = pg.types.builtins.TIMESTAMPTZ;
  const getTypeParser = ((id: number, format?: "text" | "binary") =>
    id === timestamptz ? parseInstant : pg.types.getTypeParser(id, format as "text")) as typeof pg.types.getTypeParser;
  return { application_name: "authorization-service", keepAlive: true, ...connection, types: { getTypeParser } };
}

function prepareSession(options: DatabaseOptions) {
  return async (client: pg.ClientBase) => {
    await client.query(sessionSettings(options.statementTimeoutMs));
  };
}

async function inTransaction<T>(
  connection: Connection,
  client: pg.PoolClient,
  signal: AbortSignal,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  // Sent together with the first statements, whose results count for nothing until the transaction has begun.
  const begun = connection.query({ text: "begin", values: [] });
  const sent: Promise<unknown>[] = [begun];
  const query: Connection["query"] = (statement) => {
    const result = connection.query<never>(statement);
    sent.push(result);
    return begun.then(() => result);
  };
  try {
    const result = await work({ query });
    await begun;
    signal.throwIfAborted();
    // Not abortable: from here on only Postgres knows whether the change is kept.
    await client.query("commit");
    return result;
  } catch (error) {
    // A statement that is still to be cancelled must not take the rollback with it.
    await Promise.allSettled(sent);
    await client.query("rollback").catch(ignore);
    throw asRefusal(error);
  }
}

/** A transaction that Postgres undid to end a circle of waiting, or because others came first, left nothing behind. */
const undone = new Set(["40P01", "40001"]);

async function retrying<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (!undone.has(sqlState(error) ?? "")) throw error;
      if (attempt === 3) throw new Refusal("OVERLOADED", "too many change the same, try again", {}, { cause: error });
    }
  }
}

async function cancelStatement(cancelling: pg.Pool, client: pg.PoolClient): Promise<void> {
  const { processID } = client as pg.PoolClient & { processID: number };
  try {
    await cancelling.query("select pg_cancel_backend($1)", [processID]);
  } catch {
    // Postgres notices the closed socket and ends the statement by itself.
    streamOf(client).destroy();
  }
}

function streamOf(client: pg.PoolClient): Duplex {
  return (client as pg.PoolClient & { connection: { stream: Duplex } }).connection.stream;
}

function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

function ignore(): void {}
