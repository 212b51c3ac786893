import pg from "pg";
import { lostStatement, NoOwnSessions, unavailable } from "./failures.ts";
import { graceMs, orGiveUp } from "./give-up.ts";
import { type FoundSession, requireOwn, selectSession, sharing, takeSession } from "./own-session.ts";
import { withTypes } from "./session.ts";

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
      await takeSession(client);
    }
    for (let round = 1; round <= rounds; round += 1) await mixUp(clients, round);
  } catch (error) {
    if (refusedTransaction(error) || lostStatement(error)) throw sharing((error as Error).message, error);
    if (!isLate(error)) throw error;
    if (clients.length > 1) throw new NoOwnSessions(oneOnly, { cause: error });
    throw unavailable(new Error(`no answer within ${answerWithinMs / 1_000} seconds`));
  } finally {
    // A server that doesn't answer doesn't close the connection, either.
    await Promise.all(clients.map((client) => orGiveUp(client, client.end())));
  }
}

const oneOnly =
  "Postgres gave the service one connection but no second one. A server needs DATABASE_POOL_SIZE + 5 at once: raise the " +
  "pool size of the connection pooler (PgBouncer: default_pool_size), or connect to Postgres directly";

/** Prepares new sessions like `prepare`, after it has checked that other connections keep theirs. */
export function checkedFirst(connection: pg.ClientConfig, prepare: Prepare): Prepare {
  return async (client, statementTimeoutMs) => {
    await requireOwnSessions(connection, graceMs);
    await prepare(client, statementTimeoutMs);
  };
}

type Prepare = (client: pg.ClientBase, statementTimeoutMs: number) => Promise<void>;

/**
 * Makes a pooler hand out its sessions in another order. Transactions that run at the same time always have different
 * sessions, and the next one depends on the order in which they were returned.
 */
async function mixUp(clients: readonly pg.Client[], round: number): Promise<void> {
  for (const client of clients) await client.query("begin");
  for (const client of clients) await confirm(client);
  for (const client of clients) await client.query("commit");
  // Some poolers reuse the session that was returned last, others the one returned first.
  for (const client of round % 2 === 1 ? clients : clients.toReversed()) await confirm(client);
}

async function confirm(client: pg.Client): Promise<void> {
  const { rows } = await client.query<FoundSession>(selectSession);
  requireOwn(client, rows[0]);
}

function newClient(connection: pg.ClientConfig, answerWithinMs: number): pg.Client {
  const bounds = { connectionTimeoutMillis: answerWithinMs, query_timeout: answerWithinMs };
  const client = new pg.Client({ ...withTypes(connection), ...bounds });
  // If the connection breaks, pending calls reject. This only keeps the process alive.
  client.on("error", () => {});
  return client;
}

/** In statement mode, PgBouncer refuses to begin a transaction with this message. */
function refusedTransaction(error: unknown): boolean {
  return error instanceof Error && error.message.includes("statement pooling mode");
}

/** The driver has no code for its timeouts, and PgBouncer uses the code of a protocol violation for its own. */
function isLate(error: unknown): boolean {
  return error instanceof Error && /^(timeout expired|Query read timeout|query_wait_timeout)$/.test(error.message);
}
