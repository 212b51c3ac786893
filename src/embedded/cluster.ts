import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { open, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { cannotRun } from "./cannot-run.ts";
import type { Home } from "./home.ts";
import { lastLines, startWatched } from "./watchdog.ts";

/**
 * Creates the cluster if there is none. It is built in a draft folder and renamed when complete, so a killed process
 * leaves no half-made one. Only the owner may call this.
 */
export async function ensureCluster(home: Home, binaries: string, account: readonly string[]): Promise<void> {
  const entries = await readdir(home.folder);
  for (const name of entries.filter((name) => name.startsWith("cluster.draft-"))) {
    // The initdb of a killed owner may still be writing its last files.
    await rm(path.join(home.folder, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
  if (entries.includes("cluster")) return;
  const draft = path.join(home.folder, `cluster.draft-${randomUUID()}`);
  const { ended } = await startWatched([...account, ...(await initdb(binaries, draft))], home);
  const end = await ended;
  if (end !== "exited with code 0") throw cannotRun(`initdb ${end}. ${await lastLines(home.log)}`);
  await rename(draft, home.cluster);
  // Otherwise a power cut could undo the rename, and the cluster with all its commits would be deleted as a draft.
  for (const folder of [home.folder, home.dataDirectory]) {
    await using handle = await open(folder);
    await handle.sync();
  }
}

async function initdb(binaries: string, cluster: string): Promise<string[]> {
  const program = path.join(binaries, "bin", "initdb");
  const { stdout } = await promisify(execFile)(program, ["--version"]).catch((error: Error) => {
    throw cannotRun(error.message);
  });
  // The builtin provider, new in 17, sorts by code point and knows upper and lower case, on every machine and version.
  // The system's part of the locale is always C, because not every system has C.UTF-8.
  const hasBuiltin = Number(/ (\d+)/.exec(stdout)?.[1]) >= 17;
  const locale = hasBuiltin ? ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] : [];
  return [program, "-D", cluster, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", ...locale];
}
