import { registerGuest } from "./guests.ts";
import type { Home } from "./home.ts";
import { currentOwner, type Owner } from "./ownership.ts";
import { answers, readPostmasterFile } from "./postmaster-file.ts";

/** Where to connect, and how to say that this process is done. */
export type Joined = { readonly socketDirectory: string; readonly port: number; stop(): Promise<void> };

/** Uses the Postgres of a live owner, or undefined when it is not ready or the owner is about to stop it. */
export async function joinRunning(home: Home, owner: Owner, name: string): Promise<Joined | undefined> {
  if (owner.state !== "running") return undefined;
  const at = await readPostmasterFile(home.cluster);
  if (at?.status !== "ready" || !(await answers(at))) return undefined;
  // First the guest signs in, then it looks again whether the owner stops; a command that stops first says so, then
  // looks for guests. Whatever the order, one of the two sees the other.
  const signOut = await registerGuest(home.folder, name);
  const now = await currentOwner(home.folder);
  if (now?.state !== "running" || now.pid !== owner.pid || now.started !== owner.started) {
    await signOut();
    return undefined;
  }
  return { socketDirectory: at.socketDirectory, port: at.port, stop: signOut };
}
