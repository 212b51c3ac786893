import { registerGuest } from "./guests.ts";
import type { Home } from "./home.ts";
import { currentOwner, type Owner } from "./ownership.ts";
import { answers, readPostmasterFile } from "./postmaster-file.ts";
import type { Running } from "./run-own.ts";

/**
 * Joins the Postgres of a live owner. `stop()` only signs out. Undefined if it is not ready, or the owner is about to stop
 * it.
 */
export async function joinRunning(home: Home, owner: Owner, name: string): Promise<Running | undefined> {
  if (owner.state !== "running") return undefined;
  const at = await readPostmasterFile(home.cluster);
  if (at?.status !== "ready" || !(await answers(at))) return undefined;
  // The guest signs in, then checks again whether the owner is stopping. A stopping owner announces it, then looks for
  // guests. So in any order, at least one of them sees the other.
  const signOut = await registerGuest(home.folder, name);
  const now = await currentOwner(home.folder);
  if (now?.state !== "running" || now.pid !== owner.pid || now.started !== owner.started) {
    await signOut();
    return undefined;
  }
  return { socketDirectory: at.socketDirectory, port: at.port, stop: signOut };
}
