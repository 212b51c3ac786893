import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

/**
 * What a running Postgres writes about itself into `postmaster.pid`: its process, the folder of its socket, and its status,
 * which is "starting", "ready" or "stopping", or empty while the file is being written. A killed one leaves the file behind.
 * Undefined if there is no file, or its first line is not complete yet.
 */
export async function readPostmasterFile(cluster: string) {
  const text = await readFile(path.join(cluster, "postmaster.pid"), "utf8").catch(() => "");
  // The lines are: process, data directory, start, port, socket folder, TCP address, shared memory, status.
  const lines = text.split("\n");
  const pid = Number(lines[0]);
  return pid > 0 ? { pid, socketDirectory: lines[4] ?? "", status: (lines[7] ?? "").trim() } : undefined;
}

/** False for a process that only has the number of a dead Postgres, and for a zombie. */
export async function isPostgresOf(cluster: string, pid: number): Promise<boolean> {
  const command =
    process.platform === "linux"
      ? readFile(`/proc/${pid}/cmdline`, "utf8")
      : promisify(execFile)("ps", ["-ww", "-o", "command=", "-p", String(pid)]).then(({ stdout }) => stdout);
  // Without a process, both fail.
  const words = (await command.catch(() => "")).replaceAll("\0", " ");
  return words.includes(`postgres -D ${cluster} `);
}
