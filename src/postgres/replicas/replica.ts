import type pg from "pg";
import { Refusal } from "../../authorization/refusal.ts";
import { type ConnectionsOptions, type Load, openConnections } from "../pool/connections.ts";
import { openDoubts } from "../pool/doubts.ts";
import { sqlState } from "../pool/failures.ts";
import { NoOwnSessions } from "../pool/own-sessions.ts";
import { Lost } from "../pool/running.ts";
import { SessionLost } from "../pool/session-mark.ts";
import { Unfit } from "./equal-snapshot.ts";
import type { PrimarySnapshots } from "./primary-snapshots.ts";
import { replicaLag } from "./replica-lag.ts";
import { type Read, type Reading, readingOn } from "./replica-reading.ts";
import { prepareReplicaSession } from "./replica-session.ts";
import type { LeftOut, ReplicaStatus, Returned } from "./replica-status.ts";
import { openTrials, type Standing } from "./replica-trials.ts";

type ReplicaOptions = Omit<ConnectionsOptions, "doubts" | "prepare" | "onIdleError"> & {
  /** For people: its address, without a password. */
  readonly name: string;
  readonly primary: PrimarySnapshots;
  /** Whether it is the primary itself, as after a fail-over. */
  readonly isPrimary: () => boolean;
  /** Called when the replica is left out, and with undefined when it is used again. */
  readonly onChange: (reason: LeftOut | undefined, cause?: unknown) => void;
};

export type Replica = {
  isUsed(): boolean;
  /** How many reads it works on. */
  busy(): number;
  /**
   * Runs a statement that only reads, in a snapshot that equals the primary's at a moment after `since` was asked for.
   * Resolves to undefined if the primary has to run it. Rejects only if the signal aborts.
   */
  read<Row extends pg.QueryResultRow>(read: Read): Promise<Row[] | undefined>;
  load(): Load;
  status(): ReplicaStatus;
  close(): Promise<void>;
};

/**
 * How long opening a connection may take, in milliseconds. A network that swallows one keeps its place in the pool for so
 * long, and the trial after it from succeeding. Reads that wait that long for a busy one go to the primary.
 */
const connectMs = 1_000;

export function openReplica(options: ReplicaOptions): Replica {
  const { name, primary, isPrimary, onChange, poolSize } = options;
  // Compares connections to this server only: its sessions have nothing to do with the primary's.
  const doubts = openDoubts(options.connection, () => {});
  doubts.raise();
  const longestWaitMs = Math.min(options.longestWaitMs ?? connectMs, connectMs);
  const open = (size: number) =>
    openConnections({
      ...{ ...options, poolSize: size, longestWaitMs, doubts },
      ...{ prepare: prepareReplicaSession, onIdleError: () => {} },
    });
  const connections = open(poolSize);
  const own = open(1);
  const lag = replicaLag();
  const reading = readingOn(connections, { primary, onPosition: lag.record });
  const trial = readingOn(own, { primary, onPosition: lag.record });
  const standing = openTrials(
    async () => named(await tryOut(trial, primary)),
    (reason, cause) => {
      // Reads that wait for it would only wait longer.
      if (reason === "unreachable") reading.giveUp();
      onChange(reason, cause);
    },
  );
  const named = (found: Standing | undefined): Standing | undefined =>
    found?.leftOut === "promoted" && isPrimary() ? { leftOut: "primary" } : found;
  const returned = new Map<Returned, number>();
  let answered = 0;

  return {
    isUsed: () => standing.leftOut() === undefined,
    busy: reading.busy,
    async read<Row extends pg.QueryResultRow>(read: Read) {
      const outcome = await attempt<Row>(reading, read);
      if (Array.isArray(outcome)) {
        answered += 1;
        return outcome;
      }
      const { why, leaveOut, cause } = outcome;
      if (cause instanceof SessionLost) doubts.raise();
      if (leaveOut !== undefined) standing.leaveOut(leaveOut, cause);
      returned.set(why, (returned.get(why) ?? 0) + 1);
      return undefined;
    },
    load: connections.load,
    status: () => ({
      name,
      leftOut: standing.leftOut(),
      ...(standing.leftOut() !== "primary" && { lagBytes: lag.bytes(), lagSeconds: lag.seconds() }),
      answered,
      returned,
    }),
    async close() {
      standing.close();
      await Promise.all([connections.close(), own.close()]);
    },
  };
}

/** A read without an answer: why, and whether it is a reason to leave the replica out. */
type Unanswered = { readonly why: Returned; readonly leaveOut?: LeftOut; readonly cause?: unknown };

async function attempt<Row extends pg.QueryResultRow>(reading: Reading, read: Read): Promise<Row[] | Unanswered> {
  try {
    const outcome = await reading.read<Row>(read);
    if (outcome === "behind" || outcome === "ahead") return { why: outcome, leaveOut: outcome };
    return outcome === "raced" ? { why: outcome } : outcome;
  } catch (cause) {
    if (read.signal.aborted) throw read.signal.reason;
    const leaveOut = reasonFor(cause);
    if (leaveOut !== undefined) return { why: leaveOut, leaveOut, cause };
    return { why: cause instanceof Refusal ? "busy" : "failed" };
  }
}

/** Why a replica is left out after an error. Undefined if the error says nothing about it, as with a conflict. */
function reasonFor(error: unknown): LeftOut | undefined {
  if (error instanceof Unfit) return error.reason;
  if (error instanceof SessionLost) return "sessions";
  if (error instanceof Lost) return "unreachable";
  if (!(error instanceof Refusal) || error.reason !== "DATABASE_UNAVAILABLE") return undefined;
  if (aboutStatement.has(sqlState(error.cause) ?? "")) return undefined;
  return error.cause instanceof NoOwnSessions ? "sessions" : "unreachable";
}

/** A statement that writes, and one that was cancelled. */
const aboutStatement = new Set(["25006", "57014"]);

/** How long a trial may take, in milliseconds. */
const trialMs = 1_000;

/** Reads nothing, in the way of every read. Says nothing without the primary, because nothing is known then. */
async function tryOut(trial: Reading, primary: PrimarySnapshots): Promise<Standing | undefined> {
  const since = await primary.next().catch(() => undefined);
  if (since === undefined) return undefined;
  try {
    const signal = AbortSignal.timeout(trialMs);
    const outcome = await trial.read({ statement: { text: "select", values: [] }, since, signal });
    if (outcome === "raced") return undefined;
    return Array.isArray(outcome) ? { leftOut: undefined } : { leftOut: outcome };
  } catch (cause) {
    return { leftOut: reasonFor(cause) ?? "unreachable", cause };
  }
}
