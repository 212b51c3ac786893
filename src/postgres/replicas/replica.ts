import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { Refusal } from "../../authorization/refusal.ts";
import { type ConnectionsOptions, type Load, openConnections } from "../pool/connections.ts";
import { asRefusal, sqlState } from "../pool/failures.ts";
import { checkedFirst } from "../pool/own-sessions.ts";
import { Lost } from "../pool/running.ts";
import { Unfit } from "./equal-snapshot.ts";
import type { PrimarySnapshots } from "./primary-snapshots.ts";
import { type Read, readOnReplica } from "./read-on-replica.ts";
import { prepareReplicaSession } from "./replica-session.ts";
import type { LeftOut, ReplicaStatus, Returned } from "./replica-status.ts";

type ReplicaOptions = Pick<ConnectionsOptions, "connection" | "poolSize" | "statementTimeoutMs" | "longestWaitMs"> & {
  /** For people: its address, without a password. */
  readonly name: string;
  readonly primary: PrimarySnapshots;
  /** Whether it is the primary itself, as after a fail-over. */
  readonly isPrimary: () => boolean;
  /** Called when the replica is left out, and with undefined when it is used again. */
  readonly onChange: (reason: LeftOut | undefined, cause?: unknown) => void;
};

export type Replica = ReturnType<typeof openReplica>;

/** How long opening a connection may take, in milliseconds. Reads that wait that long for one go to the primary. */
const connectMs = 1_000;

/** How long a read that only tries the replica may take, in milliseconds. */
const trialMs = 1_000;

/** How often a replica is tried, in milliseconds, so that no request has to find out. */
const everyMs = { used: 1_000, leftOut: 50 };

export function openReplica(options: ReplicaOptions) {
  const { name, primary, isPrimary, onChange } = options;
  const longestWaitMs = Math.min(options.longestWaitMs ?? connectMs, connectMs);
  const common = { ...options, longestWaitMs, onIdleError: () => {} };
  const connections = openConnections({ ...common, prepare: prepareReplicaSession });
  // Reads may keep all of the others busy.
  const own = openConnections({
    ...{ ...common, poolSize: 1 },
    prepare: checkedFirst(options.connection, prepareReplicaSession),
  });
  const closing = new AbortController();
  const returned = new Map<Returned, number>();
  let leftOut: LeftOut | undefined = "starting";
  let lagBytes: number | undefined;
  let answered = 0;
  const asking = {
    primary,
    onPosition(missing: number) {
      lagBytes = Math.max(0, missing);
    },
  };

  function become(found: LeftOut | undefined, cause?: unknown): void {
    const reason = found === "promoted" && isPrimary() ? "primary" : found;
    if (leftOut === reason || closing.signal.aborted) return;
    leftOut = reason;
    // What is under way there would only wait longer.
    if (reason === "unreachable") connections.breakAll();
    onChange(reason, cause);
  }

  /** Reads nothing, in the way of every read. Without the primary, nothing is known. */
  async function tryOut(): Promise<void> {
    const since = await primary.next().catch(() => undefined);
    if (since === undefined) return;
    try {
      const nothing = { statement: { text: "select", values: [] }, since, signal: AbortSignal.timeout(trialMs) };
      const outcome = await readOnReplica(own, nothing, asking);
      become(Array.isArray(outcome) ? undefined : outcome);
    } catch (cause) {
      become(reasonFor(cause) ?? "unreachable", cause);
    }
  }

  async function keepTrying(): Promise<void> {
    let triedAt = Number.NEGATIVE_INFINITY;
    while (!closing.signal.aborted) {
      if (leftOut !== undefined || performance.now() - triedAt >= everyMs.used) {
        triedAt = performance.now();
        await tryOut();
      }
      await sleep(everyMs.leftOut, undefined, { ref: false, signal: closing.signal }).catch(() => {});
    }
  }

  void keepTrying();
  return {
    isUsed: () => leftOut === undefined,
    /** How many reads wait for a connection or use one. */
    busy: () => busyIn(connections.load()),
    /**
     * Runs a statement that only reads, in a snapshot that equals the primary's at a moment after `since` was asked for.
     * Resolves to undefined if the primary has to run it. Rejects only if the signal aborts.
     */
    async read<Row extends pg.QueryResultRow>(read: Read): Promise<Row[] | undefined> {
      let why: Returned;
      try {
        const outcome = await readOnReplica<Row>(connections, read, asking);
        if (Array.isArray(outcome)) {
          answered += 1;
          return outcome;
        }
        why = outcome;
        become(outcome);
      } catch (cause) {
        if (read.signal.aborted) throw read.signal.reason;
        const reason = reasonFor(cause);
        if (reason !== undefined) become(reason, cause);
        why = reason ?? (cause instanceof Refusal ? "busy" : "failed");
      }
      returned.set(why, (returned.get(why) ?? 0) + 1);
      return undefined;
    },
    status(): ReplicaStatus {
      return { name, leftOut, lagBytes: leftOut === "primary" ? undefined : lagBytes, answered, returned };
    },
    async close(): Promise<void> {
      closing.abort();
      await Promise.all([connections.close(), own.close()]);
    },
  };
}

function busyIn({ connections, idle, waiting }: Load): number {
  return connections - idle + waiting;
}

/** Why a replica is left out after an error. Undefined if the error says nothing about it, as with a conflict. */
function reasonFor(error: unknown): LeftOut | undefined {
  if (error instanceof Unfit) return error.reason;
  if (error instanceof Lost) return "unreachable";
  const known = asRefusal(error);
  if (!(known instanceof Refusal) || known.reason !== "DATABASE_UNAVAILABLE") return undefined;
  return aboutStatement.has(sqlState(known.cause) ?? "") ? undefined : "unreachable";
}

/** A statement that writes, and one that was cancelled. */
const aboutStatement = new Set(["25006", "57014"]);
