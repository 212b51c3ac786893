import pg from "pg";
import { Refusal } from "../../authorization/refusal.ts";
import { unlessAborted } from "../../authorization/unless-aborted.ts";
import { fairQueue } from "../../limits/fair-queue.ts";
import { requestInTurn } from "../../limits/limits.ts";
import { openCancelling } from "./cancelling.ts";
import { asRefusal, NoOwnSessions } from "./failures.ts";
import { orGiveUp, streamOf } from "./give-up.ts";
import type { Hosts } from "./hosts.ts";
import { prepareSession, withTypes } from "./session.ts";

export type ConnectionsOptions = {
  readonly connection: pg.ClientConfig;
  /** If several hosts can be the primary. */
  readonly hosts?: Hosts;
  /** The most connections, not counting the one for cancelling. */
  readonly poolSize: number;
  /** How long a request may wait for a connection before it is refused as OVERLOADED, in milliseconds. */
  readonly longestWaitMs?: number;
  /** The backstop for statements whose cancel did not arrive, in milliseconds. */
  readonly statementTimeoutMs: number;
  /** Called when an idle connection breaks, or a pooler shares the session of one. */
  readonly onIdleError: (error: Error) => void;
  /** Prepares each new session. By default, prepareSession. */
  readonly prepare?: (client: pg.ClientBase, statementTimeoutMs: number) => Promise<void>;
};

/** The current load of the connections. */
export type Load = {
  /** How many are open or being opened, including idle ones. */
  readonly connections: number;
  readonly idle: number;
  /** How many requests wait for one. */
  readonly waiting: number;
};

export type Connections = ReturnType<typeof openConnections>;

/** How many requests may wait for each connection. */
const waitingPerConnection = 20;

/** The connections to Postgres that requests share. */
export function openConnections(options: ConnectionsOptions) {
  const { connection, hosts, statementTimeoutMs, onIdleError, prepare = prepareSession } = options;
  const pool = new pg.Pool({
    ...withTypes(connection),
    ...(hosts && { Client: hosts.Client }),
    // Sends statements without waiting for the answers to earlier ones. Postgres runs them in order.
    pipeline: true,
    max: options.poolSize,
    // Stays open when the others are closed for being idle, so the first request after a pause doesn't open one.
    min: 1,
    // Limits both waiting for a busy connection and opening one, so no request keeps its place forever.
    connectionTimeoutMillis: options.longestWaitMs ?? statementTimeoutMs,
    onConnect: (client) => orGiveUp(client, prepare(client, statementTimeoutMs)),
  });
  // One that is being closed may be ended by Postgres first, when both stop.
  pool.on("error", (error) => pool.ending || onIdleError(error));
  const open = new Set<pg.PoolClient>();
  pool.on("connect", (client) => open.add(client));
  pool.on("remove", (client) => open.delete(client));
  const cancelling = openCancelling(connection, hosts, onIdleError);
  const queue = fairQueue({
    most: options.poolSize,
    mostWaiting: options.poolSize * waitingPerConnection,
    longestWaitMs: options.longestWaitMs ?? statementTimeoutMs,
  });

  async function connect(signal: AbortSignal): Promise<pg.PoolClient> {
    const connecting = pool.connect();
    try {
      return await unlessAborted(connecting, signal);
    } catch (error) {
      // No request waits for this connection any more, but it must go back to the pool.
      connecting.then((late) => late.release()).catch(() => {});
      if (error instanceof NoOwnSessions) onIdleError(error);
      if (!waitedTooLong(error)) throw asRefusal(error);
      const message = "no connection to the database became free in time; try again";
      throw new Refusal("OVERLOADED", message, {}, { cause: error });
    }
  }

  return {
    /**
     * Waits for a connection, in the turn of the request's caller. Rejects with the signal's reason if that aborts; with
     * OVERLOADED if too many are waiting or it takes too long; with DATABASE_UNAVAILABLE if Postgres can't be reached, or a
     * pooler shares the session of a new connection.
     */
    async acquire(signal: AbortSignal): Promise<pg.PoolClient> {
      const end = await queue.take(requestInTurn.getStore()?.turn, signal);
      try {
        const client = await connect(signal);
        // The pool sets it for each request.
        const { release } = client;
        client.release = (error) => {
          release(error);
          end();
        };
        return client;
      } catch (error) {
        end();
        throw error;
      }
    },

    /** Cancels the statement that runs on a connection, over another one. The connection stays open if Postgres answers. */
    cancel: cancelling.cancel,

    /** Breaks all of them, so that what runs there fails at once. */
    breakAll(): void {
      for (const client of open) streamOf(client).destroy();
    },

    load: (): Load => ({ connections: pool.totalCount, idle: pool.idleCount, waiting: queue.waiting() }),

    async close(): Promise<void> {
      await Promise.all([pool.end(), cancelling.close()]);
    },
  };
}

/** The pool's message if all connections are busy. If opening one takes too long, the message is different. */
function waitedTooLong(error: unknown): boolean {
  return error instanceof Error && error.message === "timeout exceeded when trying to connect";
}
