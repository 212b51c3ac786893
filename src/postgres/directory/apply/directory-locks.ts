import { Refusal } from "../../../authorization/refusal.ts";
import type { Connection } from "../../pool/database.ts";
import { sqlState } from "../../pool/failures.ts";

/** Held by every change of the directory until it ends, so that there is one at a time in the whole database. */
const directoryLock = "7206381402113";

/** Waits until no other change of the directory is under way, and keeps others from beginning. */
export const lockDirectory = `select pg_advisory_xact_lock(${directoryLock})`;

/** The same for requests, which are told to try again if it takes too long. Only this lock has a limit. */
export async function lockDirectoryWithin({ query }: Connection, longestWaitMs: number): Promise<void> {
  const most = Math.max(1, Math.ceil(longestWaitMs));
  const text = `set local lock_timeout = ${most}; ${lockDirectory}; set local lock_timeout to default`;
  try {
    await query({ text, values: [] });
  } catch (error) {
    if (sqlState(error) !== lockNotAvailable) throw error;
    throw new Refusal("OVERLOADED", "a large change of the directory is under way; try again");
  }
}

const lockNotAvailable = "55P03";
