import { openHome } from "./home.ts";
import { joinRunning } from "./join-running.ts";
import { claimOwnership } from "./ownership.ts";
import { runOwn } from "./run-own.ts";
import { waitForOwner } from "./wait-for-owner.ts";

export type EmbeddedPostgres = {
  /**
   * The folder of the Unix socket, the only way in: `pg` takes it as `host`. The user `postgres` and the database
   * `postgres` always exist, and no password is asked, because only this account can open the folder.
   */
  readonly socketDirectory: string;
  /** No TCP port: Postgres names its socket by it. */
  readonly port: number;
  /** True when another process of ours runs Postgres and this one only uses it. */
  readonly joined: boolean;
  /**
   * Stops Postgres when this process owns it; close your pool first. A server disconnects whoever is left. A command
   * lets the commands that joined it finish before. Whoever joined only says goodbye. Can be called twice.
   */
  stop(): Promise<void>;
};

export type EmbeddedPostgresOptions = {
  /** Made when missing. Everything of ours is in its folder `postgres`. */
  readonly dataDirectory: string;
  /**
   * A server runs Postgres as long as it lives, starts it again when it dies, and never joins. A command joins a
   * running one, or starts its own and stops it again.
   */
  readonly owner: { readonly kind: "server" } | { readonly kind: "command"; readonly name: string };
  /** More settings of Postgres by name, such as `{ fsync: "off" }` for tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The folder with `bin`, `lib` and `share`; default: the installed package for this platform. */
  readonly binaries?: string;
  /** Is told what takes long and what goes wrong, in sentences for people. */
  readonly say: (message: string) => void;
};

/**
 * The way through this room: a process claims the folder (ownership) or joins who has it (join-running, guests,
 * wait-for-owner); the owner prepares programs, account and cluster (run-own), starts Postgres under a watchdog (postmaster,
 * watchdog), clears away what a killed one left (retire-previous), and keeps it running (keep-running).
 *
 * Opens the PostgreSQL kept in `dataDirectory`, making it on the first run. One live process owns it at a time:
 *
 * - a server that finds a command waits for it, and fails when it finds another server;
 * - a command that finds a live owner joins it, and waits for its turn when that owner is just stopping;
 * - when the recorded owner is dead, whoever comes next takes over, stopping a Postgres that was left behind.
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
