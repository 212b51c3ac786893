import pg from "pg";
import { unavailable } from "./failures.ts";
import { withTypes } from "./session.ts";
import { confirmSession, markSession, SessionLost } from "./session-mark.ts";

/** Thrown if connections don't have sessions of their own, so the service can't work. The message says what to do. */
export class NoOwnSessions extends Error {
  override readonly name = "NoOwnSessions";
}

/** How long each answer may take, in milliseconds. A pooler without a free session keeps clients waiting. */
const patienceMs = 10_000;

/** Other clients of a pooler also move sessions, so a single round could look right by chance. */
const rounds = 3;

/**
 * Throws NoOwnSessions unless two open connections each keep their own session. With a pooler that shares sessions,
 * both get the same one, or one moves to another session. Neither happens with direct connections or in session mode.
 */
export async function requireOwnSessions(connection: pg.ClientConfig, answerWithinMs = patienceMs): Promise<void> {
  const clients: pg.Client[] = [];
  try {
    for (let number = 1; number <= 2; number += 1) {
      const client = newClient(connection, answerWithinMs);
      clients.push(client);
      await client.connect();
      await markSession(client);
    }
    await compare(clients);
    for (let round = 1; round <= rounds; round += 1) await mixUp(clients, round);
  } catch (error) {
    if (isSharing(error)) throw new NoOwnSessions(`${shared} (${error.message}), and ${whatToDo}`, { cause: error });
    if (!isLate(error)) throw error;
    const late = `no answer within ${answerWithinMs / 1_000} seconds`;
    throw clients.length === 1
      ? unavailable(new Error(late))
      : new NoOwnSessions(`${oneOnly} (${late}). ${howToGetMore}`);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

async function compare(clients: readonly pg.Client[]): Promise<void> {
  const starts = new Set<string | undefined>();
  for (const client of clients) {
    await confirmSession(client);
    const { rows } = await client.query<{ start: string }>(selectStart);
    starts.add(rows[0]?.start);
  }
  if (starts.size < clients.length) throw new SessionLost("two open connections have the same session");
}

/** Identifies a session, even among servers where another one has the same process id. */
const selectStart = `
  select concat_ws(' ', pg_backend_pid(), backend_start) as start from pg_stat_get_activity(pg_backend_pid())`;

/**
 * Makes a pooler hand out its sessions in another order. Transactions that run at the same time always have different
 * sessions, and the next one depends on the order in which they were returned.
 */
async function mixUp(clients: readonly pg.Client[], round: number): Promise<void> {
  for (const client of clients) await client.query("begin");
  for (const client of clients) await confirmSession(client);
  for (const client of clients) await client.query("commit");
  // Some poolers reuse the session that was returned last, others the one returned first.
  for (const client of round % 2 === 1 ? clients : clients.toReversed()) await confirmSession(client);
}

function newClient(connection: pg.ClientConfig, answerWithinMs: number): pg.Client {
  const bounds = { connectionTimeoutMillis: answerWithinMs, query_timeout: answerWithinMs };
  const client = new pg.Client({ ...withTypes(connection), ...bounds });
  // If the connection breaks, pending calls reject. This only keeps the process alive.
  client.on("error", () => {});
  return client;
}

function isSharing(error: unknown): error is Error {
  // In statement mode, PgBouncer refuses to begin a transaction with this message.
  return error instanceof SessionLost || (error instanceof Error && error.message.includes("statement pooling mode"));
}

/** The driver has no code for its timeouts, and PgBouncer uses the code of a protocol violation for its own. */
function isLate(error: unknown): boolean {
  return error instanceof Error && /^(timeout expired|Query read timeout|query_wait_timeout)$/.test(error.message);
}

const shared = "A connection pooler shares Postgres sessions among its clients";
const whatToDo =
  "the service needs its own. Connect to Postgres directly, or set the pooler to session mode (PgBouncer: pool_mode = " +
  "session, with its default server_reset_query)";
const oneOnly = "Postgres gave the service one connection but no second one";
const howToGetMore =
  "A server needs DATABASE_POOL_SIZE + 3 at once: raise the pool size of the connection pooler " +
  "(PgBouncer: default_pool_size), or connect to Postgres directly";
