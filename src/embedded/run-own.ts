import { setTimeout as sleep } from "node:timers/promises";
import { chooseAccount } from "./account.ts";
import { findBinaries } from "./binaries.ts";
import { ensureCluster } from "./cluster.ts";
import { presentGuests } from "./guests.ts";
import type { Home } from "./home.ts";
import { keepRunning } from "./keep-running.ts";
import { type Claim, describe, type Owner } from "./ownership.ts";
import { postgresArguments, postgresPort } from "./postgres-arguments.ts";
import { startPostmaster } from "./postmaster.ts";
import { makeSocketFolder, removeTemporarySocketFolder } from "./socket-folder.ts";

type RunOptions = {
  readonly kind: Owner["kind"];
  readonly settings: Readonly<Record<string, string>>;
  readonly binaries: string | undefined;
  readonly say: (message: string) => void;
};

/** Where to connect, and how to leave. */
export type Running = { readonly socketDirectory: string; readonly port: number; stop(): Promise<void> };

/** Starts Postgres as its owner. `stop()` releases the claim. If the start fails, the claim is released at once. */
export async function runOwn(home: Home, claim: Claim, options: RunOptions): Promise<Running> {
  try {
    const { stopPostgres, socketDirectory } = await start(home, options);
    let stopped: Promise<void> | undefined;
    const stop = async () => {
      await claim.announceStop();
      if (options.kind === "command") await guestsToLeave(home, options.say);
      await stopPostgres();
      await removeTemporarySocketFolder(home);
      await claim.release();
    };
    return {
      socketDirectory,
      port: postgresPort,
      stop: () => {
        stopped ??= stop();
        return stopped;
      },
    };
  } catch (error) {
    await claim.release();
    throw error;
  }
}

async function start(home: Home, { binaries, settings, kind, say }: RunOptions) {
  const programs = await findBinaries(binaries);
  const account = await chooseAccount(home, programs);
  await ensureCluster(home, programs, account, { durable: settings.fsync !== "off" });
  const socketDirectory = await makeSocketFolder(home, account);
  const args = postgresArguments(home.cluster, socketDirectory, settings);
  const startOne = () => startPostmaster(home, account, [`${programs}/bin/postgres`, ...args], say);
  try {
    const first = await startOne();
    const stopPostgres = kind === "server" ? keepRunning(first, startOne, say) : () => first.stop("smart", say);
    return { socketDirectory, stopPostgres };
  } catch (error) {
    await removeTemporarySocketFolder(home);
    throw error;
  }
}

/** Waits for guests: a command must not end the work of commands that joined it. */
async function guestsToLeave(home: Home, say: (message: string) => void): Promise<void> {
  const announced = new Set<string>();
  for (;;) {
    const guests = await presentGuests(home.folder);
    if (guests.length === 0) return;
    for (const guest of guests) {
      const message = `waiting for ${describe({ ...guest, kind: "command" })} to finish`;
      if (!announced.has(message)) say(message);
      announced.add(message);
    }
    await sleep(50);
  }
}
