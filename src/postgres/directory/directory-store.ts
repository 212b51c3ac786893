import type { ActingUser } from "../../authorization/actor.ts";
import type { DirectoryStore } from "../../directory/store.ts";
import { type FairQueue, fairQueue } from "../../limits/fair-queue.ts";
import type { Connection, Database } from "../pool/database.ts";
import { applyChanges, requireApplicable, tryChanges } from "./apply-permitted.ts";
import { offboard, tryOffboarding } from "./offboard.ts";

/** How long a change waits for others, in milliseconds: less than the deadline of requests that give none. */
const longestWaitMs = 5_000;
const mostWaiting = 1_000;

/**
 * A server works on one request of each caller at a time. Dry runs wait for no change, but cost Postgres and the server's
 * memory as much, so they count, too. Callers don't wait for each other here, and their requests end at their deadlines.
 */
const requestsInTurn = {
  ...{ most: Number.POSITIVE_INFINITY, mostOfOne: 1 },
  // Timers can't be longer.
  ...{ mostWaiting: Number.POSITIVE_INFINITY, longestWaitMs: 2 ** 31 - 1 },
};

/**
 * For requests: runs on the pool, within their deadline. There is one change at a time in the whole database, so changes wait
 * for others of this process before they take a connection.
 */
export function postgresChanges(database: Database): Pick<DirectoryStore, "apply" | "offboard"> {
  const requests = fairQueue(requestsInTurn);
  const changes = fairQueue({ most: 1, mostWaiting, longestWaitMs });

  function change<T>(
    actor: ActingUser,
    signal: AbortSignal,
    work: (connection: Connection, leftMs: number) => Promise<T>,
  ): Promise<T> {
    const began = performance.now();
    return inTurn(changes, actor, signal, () => {
      const leftMs = longestWaitMs - (performance.now() - began);
      return database.transaction(signal, (connection) => work(connection, leftMs));
    });
  }

  return {
    apply: (request, signal) =>
      inTurn(requests, request.actor, signal, async () => {
        if (request.dryRun) return database.transaction(signal, (connection) => tryChanges(connection, request));
        await database.transaction(signal, (connection) => requireApplicable(connection, request));
        return change(request.actor, signal, (connection, leftMs) => applyChanges(connection, request, leftMs));
      }),
    offboard: (request, signal) =>
      inTurn(requests, request.actor, signal, async () => {
        const found = await database.transaction(signal, (connection) => tryOffboarding(connection, request));
        if (request.dryRun) return found;
        return change(request.actor, signal, (connection, leftMs) => offboard(connection, request, leftMs));
      }),
  };
}

async function inTurn<T>(
  queue: FairQueue,
  { userId }: ActingUser,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const end = await queue.take(userId, signal);
  try {
    return await work();
  } finally {
    end();
  }
}
