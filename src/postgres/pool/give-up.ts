import type { Duplex } from "node:stream";
import type pg from "pg";

/** How long Postgres may take for short tasks before the connection is given up, in milliseconds. */
export const graceMs = 2_000;

/** Gives a connection up if Postgres doesn't answer in time, which rejects the pending call. */
export async function orGiveUp<T>(client: pg.ClientBase, asked: Promise<T>, withinMs = graceMs): Promise<T> {
  const givingUp = setTimeout(() => streamOf(client).destroy(), withinMs);
  try {
    return await asked;
  } finally {
    clearTimeout(givingUp);
  }
}

export function streamOf(client: pg.ClientBase): Duplex {
  return (client as pg.ClientBase & { connection: { stream: Duplex } }).connection.stream;
}
