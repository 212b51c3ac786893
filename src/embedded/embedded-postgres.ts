import { openHome } from "./home.ts";
import { joinRunning } from "./join-running.ts";
import { claimOwnership } from "./ownership.ts";
import { runOwn } from "./run-own.ts";
import { waitForOwner } from "./wait-for-owner.ts";

export type EmbeddedPostgres = {
  /**
   * The folder of the Unix socket, the only way to connect. Pass it to `pg` as `host`. The user `postgres` and the
   * database `postgres` always exist. No password is needed, because only this account can open the folder.
   */
  readonly socketDirectory: string;
  /** Not a TCP port: it is part of the socket's name. */
  readonly port: number;
  /** True if another process runs Postgres and this one only uses it. */
  readonly joined: boolean;
  /**
   * Stops Postgres if this process owns it. Close your pool first. A server disconnects the remaining clients. A
   * command first waits for the commands that joined it. A process that joined only signs out. Can be called twice.
   */
  stop(): Promise<void>;
};

export type EmbeddedPostgresOptions = {
  /** Created if missing. Everything is in its folder `postgres`. */
  readonly dataDirectory: string;
  /**
   * A server runs Postgres for its whole life, restarts it if it dies, and never joins. A command joins a running
   * Postgres, or starts one and stops it afterwards.
   */
  readonly owner: { readonly kind: "server" } | { readonly kind: "command"; readonly name: string };
  /** Additional Postgres settings by name, such as `{ fsync: "off" }` for tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The folder with `bin`, `lib` and `share`, by default from the installed package for this platform. */
  readonly binaries?: string;
  /** Receives messages for people about what takes long and what goes wrong. */
  readonly say: (message: string) => void;
};

/**
 * Opens the PostgreSQL in `dataDirectory`, and creates it on the first run. One live process owns it at a time:
 *
 * - A server that finds a command waits for it. If it finds another server, it fails.
 * - A command that finds a live owner joins it. If that owner is stopping, the command waits for its turn.
 * - If the recorded owner is dead, the next process takes over, and stops a Postgres that was left running.
 *
 * How the files of this folder work together: a process claims the data directory (ownership) or joins its owner
 * (join-running, guests, wait-for-owner). The owner prepares programs, account and cluster (run-own), clears away the
 * remains of a killed Postgres (retire-previous), starts Postgres under a watchdog (postmaster, watchdog), and keeps it
 * running (keep-running).
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { owner, settings = {}, binaries, say } = options;
  const home = await openHome(options.dataDirectory);
  const me = { kind: owner.kind, name: owner.kind === "server" ? "server" : owner.name };
  const waitFor = waitForOwner(say);
  for (;;) {
    const outcome = await claimOwnership(home.folder, me);
    if ("claim" in outcome) {
      return { ...(await runOwn(home, outcome.claim, { kind: me.kind, settings, binaries, say })), joined: false };
    }
    const joined = me.kind === "command" && (await joinRunning(home, outcome.owner, me.name));
    if (joined) return { ...joined, joined: true };
    await waitFor(outcome.owner, me.kind, home.dataDirectory);
  }
}
