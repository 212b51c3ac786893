import type { Duplex } from "node:stream";
import pg from "pg";
import { Refusal } from "../authorization/refusal.ts";
import { asRefusal } from "./failures.ts";
import { prepareSession, withTypes } from "./session.ts";

export type ConnectionsOptions = {
  readonly connection: pg.ClientConfig;
  /** How many connections are kept at most, besides one for cancelling. */
  readonly poolSize: number;
  /** How long a request may wait for a connection before it is refused as OVERLOADED, in milliseconds. */
  readonly longestWaitMs?: number;
  /** The backstop for statements whose cancellation did not arrive, in milliseconds. */
  readonly statementTimeoutMs: number;
  /** Hears of connections that broke while nobody used them. */
  readonly onIdleError: (error: Error) => void;
};

/** What the connections are doing at a moment. */
export type Load = {
  /** Those that are open or being opened, idle ones among them. */
  readonly connections: number;
  readonly idle: number;
  /** Requests that wait for one. */
  readonly waiting: number;
  /** Whether as many wait as may. */
  readonly full: boolean;
  /** How long the first of them has waited so far: what the next one has to expect, in milliseconds. */
  readonly waitMs: number;
};

/** The connections to Postgres that requests take turns in using. */
export type Connections = {
  /**
   * Waits for a connection, in the order of asking. Rejects with the signal's reason when that aborts, with OVERLOADED
   * when too many wait or it took too long, with DATABASE_UNAVAILABLE when Postgres cannot be reached.
   */
  acquire(signal: AbortSignal): Promise<pg.PoolClient>;
  /** Ends the statement that runs on a connection, by way of another one. The connection stays, if Postgres answers. */
  cancel(client: pg.PoolClient): Promise<void>;
  load(): Load;
  close(): Promise<void>;
};

/** Requests that may wait for each connection before the next one is refused as OVERLOADED. */
const waitingPerConnection = 20;

/** How long Postgres may take for what must not take long before the connection is given up, in milliseconds. */
export const graceMs = 2_000;

export function openConnections(options: ConnectionsOptions): Connections {
  const pool = new pg.Pool({
    ...withTypes(options.connection),
    // A statement is sent without waiting for the answer to the one before; Postgres takes them in order.
    pipeline: true,
    max: options.poolSize,
    // For a connection that is in use, and for opening one: nobody may keep its place for ever.
    connectionTimeoutMillis: options.longestWaitMs ?? options.statementTimeoutMs,
    onConnect: (client) => orGiveUp(client, prepareSession(client, options.statementTimeoutMs)),
  });
  // Cancelling must not wait for the connections that are to be freed.
  const cancelling = new pg.Pool({
    ...options.connection,
    max: 1,
    idleTimeoutMillis: 0,
    // A network that swallows everything must not keep the connections that wait for their cancel.
    connectionTimeoutMillis: graceMs,
    query_timeout: graceMs,
  });
  for (const each of [pool, cancelling]) each.on("error", options.onIdleError);
  const mostWaiting = options.poolSize * waitingPerConnection;

  /** Since when each has waited, the longest first. The pool's own count goes on counting those that gave up. */
  const waiting = new Set<{ readonly since: number }>();

  return {
    async acquire(signal) {
      if (waiting.size >= mostWaiting) throw new Refusal("OVERLOADED", "too many requests are waiting, try again");
      const waiter = { since: performance.now() };
      waiting.add(waiter);
      const connecting = pool.connect();
      try {
        return await abortable(connecting, signal);
      } catch (error) {
        // Nobody waits for this connection any more; it must not be lost to the pool.
        connecting.then((late) => late.release(), ignore);
        throw waitedTooLong(error) ? overloaded(error) : asRefusal(error);
      } finally {
        waiting.delete(waiter);
      }
    },

    async cancel(client) {
      const { processID } = client as pg.PoolClient & { processID: number };
      try {
        const { rows } = await cancelling.query<{ sent: boolean }>("select pg_cancel_backend($1) as sent", [processID]);
        // There is no such session: another server answers at that address by now.
        if (rows[0]?.sent !== true) streamOf(client).destroy();
      } catch {
        // Postgres notices the closed socket and ends the statement by itself.
        streamOf(client).destroy();
      }
    },

    load() {
      const [first] = waiting;
      return {
        connections: pool.totalCount,
        idle: pool.idleCount,
        waiting: waiting.size,
        full: waiting.size >= mostWaiting,
        waitMs: first === undefined ? 0 : performance.now() - first.since,
      };
    },

    async close() {
      await Promise.all([pool.end(), cancelling.end()]);
    },
  };
}

/** Gives a connection up when Postgres has not answered within the grace, which rejects what was asked of it. */
export async function orGiveUp<T>(client: pg.ClientBase, asked: Promise<T>): Promise<T> {
  const givingUp = setTimeout(() => streamOf(client).destroy(), graceMs);
  try {
    return await asked;
  } finally {
    clearTimeout(givingUp);
  }
}

export function streamOf(client: pg.ClientBase): Duplex {
  return (client as pg.ClientBase & { connection: { stream: Duplex } }).connection.stream;
}

/** The pool says so of connections that others use; when opening one takes too long it says something else. */
function waitedTooLong(error: unknown): boolean {
  return error instanceof Error && error.message === "timeout exceeded when trying to connect";
}

function overloaded(cause: unknown): Refusal {
  return new Refusal("OVERLOADED", "no connection to the database became free in time, try again", {}, { cause });
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
