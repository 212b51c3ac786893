import pg from "pg";
import { Refusal } from "../../authorization/refusal.ts";
import { openCancelling } from "./cancelling.ts";
import { type Doubts, openDoubts } from "./doubts.ts";
import { asRefusal } from "./failures.ts";
import { orGiveUp } from "./give-up.ts";
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
  /** Of all connections of the process; without them these have their own. */
  readonly doubts?: Doubts;
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
   * when too many wait or it took too long, with DATABASE_UNAVAILABLE when Postgres cannot be reached, or not by
   * connections that keep their sessions.
   */
  acquire(signal: AbortSignal): Promise<pg.PoolClient>;
  /** Has it checked whether connections keep their sessions, before the next one is acquired. */
  doubt(): void;
  /** Ends the statement that runs on a connection, by way of another one. The connection stays, if Postgres answers. */
  cancel(client: pg.PoolClient): Promise<void>;
  load(): Load;
  close(): Promise<void>;
};

/** Requests that may wait for each connection before the next one is refused as OVERLOADED. */
const waitingPerConnection = 20;

export function openConnections(options: ConnectionsOptions): Connections {
  const { connection, statementTimeoutMs, onIdleError, doubts = openDoubts(connection, () => {}) } = options;
  /** How many checks had failed when each connection was opened. */
  const opened = new WeakMap<pg.ClientBase, number>();
  const pool = new pg.Pool({
    ...withTypes(connection),
    // A statement is sent without waiting for the answer to the one before; Postgres takes them in order.
    pipeline: true,
    max: options.poolSize,
    // For a connection that is in use, and for opening one: nobody may keep its place for ever.
    connectionTimeoutMillis: options.longestWaitMs ?? statementTimeoutMs,
    onConnect: async (client) => {
      opened.set(client, doubts.failures());
      const wasMarked = await orGiveUp(client, prepareSession(client, statementTimeoutMs));
      if (wasMarked) doubts.raise();
    },
  });
  pool.on("error", onIdleError);
  const cancelling = openCancelling(connection, onIdleError);
  const mostWaiting = options.poolSize * waitingPerConnection;

  /** Since when each has waited, the longest first. The pool's own count goes on counting those that gave up. */
  const waiting = new Set<{ readonly since: number }>();

  async function connect(signal: AbortSignal): Promise<pg.PoolClient> {
    const connecting = pool.connect();
    try {
      return await abortable(connecting, signal);
    } catch (error) {
      // Nobody waits for this connection any more; it must not be lost to the pool.
      connecting.then((late) => late.release(), ignore);
      throw waitedTooLong(error) ? overloaded(error) : asRefusal(error);
    }
  }

  async function withoutDoubt(signal: AbortSignal): Promise<void> {
    const settled = doubts.settled();
    if (settled !== undefined) await abortable(settled, signal);
  }

  /** A connection that keeps its session, as far as it is known. */
  async function connectSafely(signal: AbortSignal): Promise<pg.PoolClient> {
    for (;;) {
      await withoutDoubt(signal);
      const client = await connect(signal);
      try {
        // Opening it can have raised one.
        await withoutDoubt(signal);
      } catch (error) {
        client.release(true);
        throw error;
      }
      if (opened.get(client) === doubts.failures()) return client;
      client.release(true);
    }
  }

  return {
    async acquire(signal) {
      if (waiting.size >= mostWaiting) throw new Refusal("OVERLOADED", "too many requests are waiting; try again");
      const waiter = { since: performance.now() };
      waiting.add(waiter);
      try {
        return await connectSafely(signal);
      } finally {
        waiting.delete(waiter);
      }
    },
    doubt: doubts.raise,
    cancel: cancelling.cancel,

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
      await Promise.all([pool.end(), cancelling.close()]);
    },
  };
}

/** The pool says so of connections that others use; when opening one takes too long it says something else. */
function waitedTooLong(error: unknown): boolean {
  return error instanceof Error && error.message === "timeout exceeded when trying to connect";
}

function overloaded(cause: unknown): Refusal {
  return new Refusal("OVERLOADED", "no connection to the database became free in time; try again", {}, { cause });
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
