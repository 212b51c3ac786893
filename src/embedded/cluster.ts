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
 * Makes the cluster when there is none. It is made beside its place and renamed when complete, so that being killed
 * leaves no half one. Only the owner may call this.
 */
export async function ensureCluster(
  home: Home,
  binaries: string,
  account: Account,
  { durable }: { durable: boolean },
): Promise<void> {
  const draftPrefix = `${path.basename(home.cluster)}.draft-`;
  for (const name of await readdir(home.folder)) {
    // The initdb of an owner that was killed may still be writing its last files.
    const retries = { maxRetries: 10, retryDelay: 100 };
    if (name.startsWith(draftPrefix)) {
      await rm(path.join(home.folder, name), { recursive: true, force: true, ...retries });
    }
  }
  if (await exists(home.cluster)) return;
  const draft = path.join(home.folder, draftPrefix + randomUUID());
  await initdb(home, account, await initdbCommand(binaries, draft, durable));
  await rename(draft, home.cluster);
  // Without this a power cut could undo the rename, and the cluster with all its commits would be taken for a draft.
  await syncFolder(home.folder);
  await syncFolder(home.dataDirectory);
}

async function initdbCommand(binaries: string, cluster: string, durable: boolean): Promise<string[]> {
  // The builtin provider sorts by code point and knows upper and lower case, the same on every machine and version.
  // It came with 17. The system's part of the locale is always C, which, unlike C.UTF-8, every system has.
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
