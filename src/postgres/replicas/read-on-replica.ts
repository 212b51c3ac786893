import type pg from "pg";
import type { Connections } from "../pool/connections.ts";
import { orGiveUp, streamOf } from "../pool/give-up.ts";
import type { Statement } from "../pool/prepared.ts";
import { atTime } from "../pool/primary-time.ts";
import { sendOn, withClient } from "../pool/running.ts";
import { type Miss, type Opening, openEqualSnapshot } from "./equal-snapshot.ts";
import type { PrimarySnapshot } from "./primary-snapshots.ts";

/** A statement that only reads, and what its caller has a right to see: at least this snapshot of the primary. */
export type Read = {
  readonly statement: Statement;
  readonly since: PrimarySnapshot;
  readonly signal: AbortSignal;
};

/** Runs the statement in a snapshot of the replica that equals one of the primary's. */
export function readOnReplica<Row extends pg.QueryResultRow>(
  connections: Connections,
  { statement, since, signal }: Read,
  { primary, onPosition }: Pick<Opening, "primary" | "onPosition">,
): Promise<Row[] | Miss> {
  return withClient(connections, signal, async (client) => {
    const send = sendOn(connections, client, signal);
    let mayBeOpen = true;
    try {
      const equal = await openEqualSnapshot({ client, send, primary, onPosition }, since);
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
  });
}

const commit = { text: "commit", values: [] };
