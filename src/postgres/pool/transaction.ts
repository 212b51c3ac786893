import type pg from "pg";
import { commit } from "./commit.ts";
import type { Connections } from "./connections.ts";
import { sqlState } from "./failures.ts";
import { orGiveUp, streamOf, untilGraceEnds } from "./give-up.ts";
import { failureOf, type Rows, rowsOn } from "./running.ts";

/** Works in a transaction, and commits it. Rolls it back if the work throws, or the signal aborts before the commit. */
export async function inTransaction<T>(
  connections: Connections,
  client: pg.PoolClient,
  signal: AbortSignal,
  work: (connection: { readonly query: Rows }) => Promise<T>,
): Promise<T> {
  const begun = begin(client, signal);
  begun.catch(() => {});
  // Sent together with the first statements. Until it is done, none of them may be cancelled: if the cancel hit it
  // instead, they would run without a transaction.
  const run = rowsOn(connections, client, signal, begun);
  const sent: Promise<unknown>[] = [begun];
  const query: Rows = (statement) => {
    const result = run<never>(statement);
    sent.push(result);
    // Cancelled statements can reject in any order, even before anything waits for this one.
    result.catch(() => {});
    return begun.then(() => result);
  };
  try {
    const result = await work({ query });
    await begun;
    signal.throwIfAborted();
    // Never repeated: from here on, only Postgres knows whether the change is stored.
    await untilGraceEnds(client, signal, commit(client));
    return result;
  } catch (error) {
    // A pending cancel must not hit the rollback.
    const ends = await Promise.allSettled(sent);
    if (!streamOf(client).destroyed) await orGiveUp(client, client.query("rollback")).catch(() => {});
    throw sqlState(error) === afterFailure ? (lastFailure(ends) ?? error) : error;
  }
}

/** Postgres' error for every statement after a failed one. It doesn't say why that one failed. */
const afterFailure = "25P02";

/** The cause: of statements sent together, the failed one may reject later than those after it. */
function lastFailure(ends: readonly PromiseSettledResult<unknown>[]): unknown {
  const reasons = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
  return reasons.findLast((reason) => sqlState(reason) !== afterFailure);
}

async function begin(client: pg.PoolClient, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  try {
    await untilGraceEnds(client, signal, client.query("begin"));
  } catch (error) {
    throw failureOf(error, signal);
  }
}
