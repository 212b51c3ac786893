import type { Duplex } from "node:stream";
import type pg from "pg";

/** How long Postgres may take for what must not take long before the connection is given up, in milliseconds. */
export const graceMs = 2_000;

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
