import pg from "pg";
import { unlessAborted } from "../../authorization/unless-aborted.ts";
import { type ConnectionsOptions, openConnections } from "../pool/connections.ts";
import type { Database } from "../pool/database.ts";
import type { Statement } from "../pool/prepared.ts";
import { type PrimarySnapshots, primarySnapshots } from "./primary-snapshots.ts";
import { openReplica, type Replica } from "./replica.ts";
import type { LeftOut } from "./replica-status.ts";

export type ReplicatedDatabase = ReturnType<typeof replicatedBy>;

type ReplicatedOptions = {
  /** The primary. It does everything that the replicas don't. */
  readonly primary: Database;
  /** How to connect to the primary, and how to use connections to it and to each replica. */
  readonly options: ConnectionsOptions;
  readonly replicas: readonly pg.ClientConfig[];
  /** Called when a replica is left out, and with undefined when it is used again. */
  readonly onChange: (replica: string, reason: LeftOut | undefined, cause?: unknown) => void;
};

export function openReplicated(given: ReplicatedOptions): ReplicatedDatabase {
  return replicatedBy(primarySnapshots(openConnections({ ...given.options, poolSize: 1 })), given);
}

/**
 * The same database, with reads on replicas where possible. A replica answers only from a snapshot that equals one that
 * the primary had after the read began, so it can't be told from the primary: docs/explanation/replicas.md. The primary
 * does everything else, including each read that a replica can't answer, for whatever reason.
 *
 * @param snapshots what the primary shows
 */
export function replicatedBy(
  snapshots: PrimarySnapshots,
  { primary, options, replicas: connections, onChange }: ReplicatedOptions,
) {
  const { poolSize, statementTimeoutMs, longestWaitMs } = options;
  const replicas = connections.map((connection) => {
    const name = nameOf(connection);
    return openReplica({
      ...{ name, connection, poolSize, statementTimeoutMs, primary: snapshots },
      ...(longestWaitMs !== undefined && { longestWaitMs }),
      isPrimary: () => name === nameOf(options.connection),
      onChange: (reason, cause) => onChange(name, reason, cause),
    });
  });
  const choose = leastBusy(replicas);
  let answeredByPrimary = 0;

  async function onReplica<Row extends pg.QueryResultRow>(
    statement: Statement,
    signal: AbortSignal,
  ): Promise<Row[] | undefined> {
    if (!replicas.some((replica) => replica.isUsed())) return undefined;
    const since = await unlessAborted(snapshots.next(), signal).catch(() => undefined);
    signal.throwIfAborted();
    return since && choose()?.read<Row>({ statement, since, signal });
  }

  return {
    async query<Row extends pg.QueryResultRow>(statement: Statement, signal: AbortSignal) {
      signal.throwIfAborted();
      const read = await onReplica<Row>(statement, signal);
      if (read !== undefined) return read;
      const rows = await primary.query<Row>(statement, signal);
      answeredByPrimary += 1;
      return rows;
    },
    write: primary.write,
    transaction: primary.transaction,
    load: () => primary.load(),
    replicas: () => replicas.map((replica) => replica.status()),
    /** How many reads the primary has answered. */
    answeredByPrimary: () => answeredByPrimary,
    async close() {
      await Promise.all([primary.close(), snapshots.close(), ...replicas.map((replica) => replica.close())]);
    },
  } satisfies Database & Record<"replicas" | "answeredByPrimary", unknown>;
}

/** Without the user and the password. */
export function nameOf(connection: pg.ClientConfig): string {
  const { host, port } = new pg.Client(connection);
  return `${host}:${port}`;
}

/** Takes turns among those that work on the fewest reads. */
function leastBusy(replicas: readonly Replica[]): () => Replica | undefined {
  let turn = 0;
  return () => {
    turn += 1;
    let best: Replica | undefined;
    for (let offset = 0; offset < replicas.length; offset += 1) {
      const replica = replicas[(turn + offset) % replicas.length];
      if (replica?.isUsed() && (best === undefined || replica.busy() < best.busy())) best = replica;
    }
    return best;
  };
}
