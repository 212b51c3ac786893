import type pg from "pg";
import { Refusal } from "../../authorization/refusal.ts";
import { boundedTypes } from "./bounded-result.ts";
import type { Connections } from "./connections.ts";
import { asRefusal, brokeConnection } from "./failures.ts";
import { streamOf, untilGraceEnds } from "./give-up.ts";
import type { Statement } from "./prepared.ts";

/** A connection broke, and its work left nothing behind. */
export class Lost extends Error {
  override readonly name = "Lost";
}

/** Sends statements on one connection, in order. Resolves to one result for each statement in the text. */
export type Send = <Row extends pg.QueryResultRow>(statement: Statement) => Promise<pg.QueryResult<Row>[]>;

/** The same, but resolves to the rows; for several statements, to those of the last one. */
export type Rows = <Row extends pg.QueryResultRow>(statement: Statement) => Promise<Row[]>;

/**
 * Sends statements on a connection. Each runs until its end, or until the signal aborts.
 *
 * @param begun resolves when nothing is running on the connection that must not be cancelled
 */
export function sendOn(
  connections: Connections,
  client: pg.PoolClient,
  signal: AbortSignal,
  begun: Promise<unknown> = Promise.resolve(),
): Send {
  return async <Row extends pg.QueryResultRow>(statement: Statement) => {
    signal.throwIfAborted();
    let cancelled: Promise<void> | undefined;
    const cancel = () => {
      cancelled = begun.then(() => connections.cancel(client), ignore);
    };
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const asked: Promise<pg.QueryResult<Row> | pg.QueryResult<Row>[]> = client.query<Row>(bounded(client, statement));
      const result = await untilGraceEnds(client, signal, asked);
      return Array.isArray(result) ? result : [result];
    } catch (error) {
      throw failureOf(error, signal);
    } finally {
      signal.removeEventListener("abort", cancel);
      // A cancel that is still under way would hit the next statement of this connection.
      await cancelled;
    }
  };
}

/** What a call rejects with whose statement failed. */
export function failureOf(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  return brokeConnection(error) ? new Lost("the connection broke", { cause: error }) : asRefusal(error);
}

export function rowsOn(
  connections: Connections,
  client: pg.PoolClient,
  signal: AbortSignal,
  begun?: Promise<unknown>,
): Rows {
  const send = sendOn(connections, client, signal, begun);
  return async <Row extends pg.QueryResultRow>(statement: Statement) => (await send<Row>(statement)).at(-1)?.rows ?? [];
}

function bounded(client: pg.PoolClient, statement: Statement): pg.QueryConfig {
  const { text, values, name, mostJson } = statement;
  if (mostJson === undefined) return statement;
  const config = { text, values, types: boundedTypes(client, mostJson) };
  return name === undefined ? config : { ...config, name };
}

/** Works on a connection that no one else uses meanwhile. It is closed if it broke, or lost its session. */
export async function withClient<T>(
  connections: Connections,
  signal: AbortSignal,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await connections.acquire(signal);
  // Without a listener, a connection that breaks between two statements would end the process.
  client.on("error", ignore);
  let broken = false;
  try {
    return await work(client);
  } catch (error) {
    const known = asRefusal(error);
    broken = known instanceof Lost || (known instanceof Refusal && known.reason === "DATABASE_UNAVAILABLE");
    throw error;
  } finally {
    client.off("error", ignore);
    client.release(broken || streamOf(client).destroyed);
  }
}

function ignore(): void {}
