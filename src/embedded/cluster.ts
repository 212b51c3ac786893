import { randomUUID } from "node:crypto";
import { readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Account } from "./account.ts";
import { majorVersion } from "./binaries.ts";
import { cannotRun } from "./cannot-run.ts";
import { type Home, syncFolder } from "./home.ts";
import { lastLines, prepareLog } from "./log.ts";
import { startWatched } from "./watchdog.ts";

/**
 * Creates the cluster if there is none. It is built in a draft folder and renamed when complete, so a killed process
 * leaves no half-made one. Only the owner may call this.
 */
export async function ensureCluster(
  home: Home,
  binaries: string,
  account: Account,
  { durable }: { durable: boolean },
): Promise<void> {
  const draftPrefix = `${path.basename(home.cluster)}.draft-`;
  for (const name of await readdir(home.folder)) {
    // The initdb of a killed owner may still be writing its last files.
    const retries = { maxRetries: 10, retryDelay: 100 };
    if (name.startsWith(draftPrefix)) {
      await rm(path.join(home.folder, name), { recursive: true, force: true, ...retries });
    }
  }
  if (await exists(home.cluster)) return;
  const draft = path.join(home.folder, draftPrefix + randomUUID());
  await initdb(home, account, await initdbCommand(binaries, draft, durable));
  await rename(draft, home.cluster);
  // Otherwise a power cut could undo the rename, and the cluster with all its commits would be deleted as a draft.
  await syncFolder(home.folder);
  await syncFolder(home.dataDirectory);
}

async function initdbCommand(binaries: string, cluster: string, durable: boolean): Promise<string[]> {
  // The builtin provider, new in 17, sorts by code point and knows upper and lower case, on every machine and version.
  // The system's part of the locale is always C, because not every system has C.UTF-8.
  const builtin = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  return [
    path.join(binaries, "bin", "initdb"),
    ...["-D", cluster, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-instructions"],
    ...((await majorVersion(binaries)) >= 17 ? builtin : []),
    ...(durable ? [] : ["--no-sync"]),
  ];
}

async function initdb(home: Home, account: Account, command: readonly string[]): Promise<void> {
  const logged = await prepareLog(home.log, account);
  const running = await startWatched(account.wrap(command), { cwd: home.folder, log: home.log });
  running.holdNodeOpen();
  const end = await running.ended;
  if (end !== "exited with code 0") {
    throw cannotRun(`initdb ${end}. The end of ${home.log}:\n${await lastLines(home.log, logged)}`);
  }
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );
}
