import type pg from "pg";
import type { Sql } from "sql-template-tag";
import type { Connections } from "../pool/connections.ts";
import { orGiveUp, streamOf } from "../pool/give-up.ts";
import type { Statement } from "../pool/prepared.ts";
import { atTime } from "../pool/primary-time.ts";
import { Lost, sendOn, withClient } from "../pool/running.ts";
import { type Miss, type Opening, openEqualSnapshot } from "./equal-snapshot.ts";
import type { PrimarySnapshot } from "./primary-snapshots.ts";

/** A statement that only reads, and what its caller has a right to see: at least this snapshot of the primary. */
export type Read = {
  readonly statement: Sql | Statement;
  readonly since: PrimarySnapshot;
  readonly signal: AbortSignal;
};

/** Reads on a replica's connections. */
export type Reading = {
  read<Row extends pg.QueryResultRow>(read: Read): Promise<Row[] | Miss>;
  /** How many reads wait for a connection or use one. */
  busy(): number;
  /** Ends them all at once, by an error. */
  giveUp(): void;
};

export function readingOn(
  connections: Connections,
  { primary, onPosition }: Omit<Opening, "client" | "send">,
): Reading {
  const running = new Set<{ giveUp(): void }>();
  return {
    async read<Row extends pg.QueryResultRow>(read: Read) {
      const { signal } = read;
      const waiting = new AbortController();
      const stopWaiting = () => waiting.abort(signal.reason);
      let client: pg.PoolClient | undefined;
      const mine = {
        giveUp() {
          if (client === undefined) waiting.abort(new Lost("the replica does not answer"));
          else streamOf(client).destroy();
        },
      };
      signal.throwIfAborted();
      signal.addEventListener("abort", stopWaiting, { once: true });
      running.add(mine);
      try {
        return await withClient(connections, waiting.signal, async (acquired) => {
          client = acquired;
          const opening = { client, send: sendOn(connections, client, signal), primary, onPosition };
          return readWith<Row>(opening, read);
        });
      } finally {
        running.delete(mine);
        signal.removeEventListener("abort", stopWaiting);
      }
    },
    busy: () => running.size,
    giveUp() {
      for (const read of running) read.giveUp();
    },
  };
}

async function readWith<Row extends pg.QueryResultRow>(
  opening: Opening,
  { statement, since }: Read,
): Promise<Row[] | Miss> {
  const { client, send } = opening;
  let mayBeOpen = true;
  try {
    const equal = await openEqualSnapshot(opening, since);
    if (typeof equal === "string") {
      mayBeOpen = false;
      return equal;
    }
    const [read, ended] = await Promise.allSettled([send<Row>(atTime(statement, equal.time)), send(commit)]);
    if (read.status === "rejected") throw read.reason;
    if (ended.status === "rejected") throw ended.reason;
    mayBeOpen = false;
    return read.value.at(-1)?.rows ?? [];
  } finally {
    if (mayBeOpen && !streamOf(client).destroyed) await orGiveUp(client, client.query("rollback")).catch(() => {});
  }
}

const commit = { text: "commit", values: [] };
