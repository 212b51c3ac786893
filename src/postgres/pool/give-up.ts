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

/** Gives a connection up that doesn't answer soon after the signal aborts. The call itself can't be aborted. */
export async function untilGraceEnds<T>(client: pg.ClientBase, signal: AbortSignal, asked: Promise<T>): Promise<T> {
  let givingUp: NodeJS.Timeout | undefined;
  const giveUp = () => {
    givingUp = setTimeout(() => streamOf(client).destroy(), graceMs);
  };
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    return await asked;
  } finally {
    signal.removeEventListener("abort", giveUp);
    clearTimeout(givingUp);
  }
}

export function streamOf(client: pg.ClientBase): Duplex {
  return (client as pg.ClientBase & { connection: { stream: Duplex } }).connection.stream;
}
