import type pg from "pg";
import { withOwnConnection } from "../database/own-connection.ts";

/**
 * Lets events be appended to the month of today, makes room for the next one, and looks back at those that are over
 * (migrations/0004_events.sql). If it fails, events are appended to the month before.
 */
export function beginMonth(connection: pg.ClientConfig): Promise<void> {
  return withOwnConnection(connection, async (client) => {
    await client.query("select add_months()");
    await client.query("select begin_month()");
    await client.query("select look_back()");
  });
}

const hourMs = 3_600_000;
const retryMs = 60_000;

/**
 * Begins each month when it is due. It also looks every hour, because clocks differ.
 *
 * @param begin as beginMonth
 * @returns what ends it
 */
export function beginMonths(begin: () => Promise<void>, onError: (error: unknown) => void): () => void {
  let timer: NodeJS.Timeout;
  const look = () =>
    begin().then(
      () => wait(Math.min(untilNextMonth(Date.now()) + 1_000, hourMs)),
      (error: unknown) => {
        // Postgres may be stopping, too.
        if (isEnded) return;
        onError(error);
        wait(retryMs);
      },
    );
  let isEnded = false;
  const wait = (ms: number) => {
    if (!isEnded) timer = setTimeout(look, ms).unref();
  };
  void look();
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}

function untilNextMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) - now;
}
