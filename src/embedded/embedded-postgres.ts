import { rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { asAccount } from "./account.ts";
import { findBinaries } from "./binaries.ts";
import { ensureCluster } from "./cluster.ts";
import { type Home, makeSocketFolder, openHome } from "./home.ts";
import { keepRunning } from "./keep-running.ts";
import { claimOwnership, readOwner } from "./ownership.ts";
import { postgresArguments, postgresPort } from "./postgres-arguments.ts";
import { startPostmaster } from "./postmaster.ts";
import { isPostgresOf, readPostmasterFile } from "./postmaster-file.ts";

export type EmbeddedPostgres = {
  /**
   * The folder of the Unix socket, the only way to connect. Pass it to `pg` as `host`. The user `postgres` and the
   * database `postgres` always exist. No password is needed, because only this account can open the folder.
   */
  readonly socketDirectory: string;
  /** Not a TCP port: it is part of the socket's name. */
  readonly port: number;
  /** Stops Postgres if this process started it, and disconnects the remaining clients. Can be called twice. */
  stop(): Promise<void>;
};

export type EmbeddedPostgresOptions = {
  /** Created if missing. Everything is in its folder `postgres`. */
  readonly dataDirectory: string;
  /**
   * A server runs Postgres for its whole life, and restarts it if it dies. A command joins the Postgres of a running
   * server, or starts one and stops it afterwards.
   */
  readonly owner: { readonly kind: "server" } | { readonly kind: "command"; readonly name: string };
  /** Postgres settings by name, such as `{ fsync: "off" }` for tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The folder with `bin`, `lib` and `share`, by default from the installed package for this platform. */
  readonly binaries?: string;
  /** Receives messages for people about what takes long and what goes wrong. */
  readonly say: (message: string) => void;
};

/** Shorter waits are not reported. A server that was just killed may also take this long to disappear. */
const quietMs = 1_000;

/**
 * Opens the PostgreSQL in `dataDirectory`, and creates it on the first run. Only one process at a time owns it, and runs
 * Postgres. If there is an owner, a command joins a server, a server refuses to run beside another one, and everything
 * else waits for its turn.
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { owner, say } = options;
  const home = await openHome(options.dataDirectory);
  const isServer = owner.kind === "server";
  const me = `${isServer ? "the server" : `\`${owner.name}\``} (process ${process.pid})`;
  const since = Date.now();
  let said = "";
  for (;;) {
    const release = await claimOwnership(home.folder, { name: me, isServer });
    if (release) return runPostgres(home, release, options);
    const other = await readOwner(home.folder);
    const socketDirectory = other.isServer && !isServer && (await findSocket(home.cluster));
    if (socketDirectory) return { socketDirectory, port: postgresPort, stop: async () => {} };
    if (Date.now() - since > quietMs) {
      if (other.isServer && isServer) {
        throw new Error(`${home.dataDirectory} is in use by ${other.name}: stop that process, or set another DATA_DIR`);
      }
      const message = `waiting for ${other.name} to ${other.isServer ? "start PostgreSQL" : "finish"}`;
      if (message !== said) say(message);
      said = message;
    }
    await sleep(50);
  }
}

/** Where the Postgres of a running server accepts connections. Undefined while it starts. */
async function findSocket(cluster: string): Promise<string | undefined> {
  const file = await readPostmasterFile(cluster);
  return file?.status === "ready" && (await isPostgresOf(cluster, file.pid)) ? file.socketDirectory : undefined;
}

/** Runs Postgres as its owner, which is released when Postgres has stopped or could not start. */
async function runPostgres(
  home: Home,
  release: () => Promise<void>,
  { owner, settings = {}, binaries, say }: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  try {
    const programs = await findBinaries(binaries);
    const socketDirectory = await makeSocketFolder(home);
    const account = await asAccount(home, socketDirectory, programs);
    await ensureCluster(home, programs, account);
    const postgres = path.join(programs, "bin", "postgres");
    const command = [...account, postgres, ...postgresArguments(home.cluster, socketDirectory, settings)];
    const start = () => startPostmaster(home, command, say);
    const first = await start();
    const stopPostgres = owner.kind === "server" ? keepRunning(first, start, say) : first.stop;
    const stop = async () => {
      await stopPostgres();
      await rm(socketDirectory, { recursive: true, force: true });
      await release();
    };
    let stopped: Promise<void> | undefined;
    return {
      socketDirectory,
      port: postgresPort,
      stop() {
        stopped ??= stop();
        return stopped;
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}
