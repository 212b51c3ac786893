import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";

/** What a running Postgres writes about itself into `postmaster.pid`. A killed one leaves the file behind. */
type PostmasterFile = {
  readonly pid: number;
  readonly port: number;
  readonly socketDirectory: string;
  /** "starting", "ready" or "stopping"; empty while the file is being written. */
  readonly status: string;
};

/** Undefined if there is no file, or its first line is not complete yet. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(path.join(cluster, "postmaster.pid"), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  // The lines are: process, data directory, start, port, socket folder, TCP address, shared memory, status.
  const lines = text.split("\n");
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, port: Number(lines[3]), socketDirectory: lines[4] ?? "", status: (lines[7] ?? "").trim() };
}

/** Whether a process accepts connections on that socket. */
export function answers(at: Pick<PostmasterFile, "socketDirectory" | "port">): Promise<boolean> {
  if (at.socketDirectory === "") return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect(path.join(at.socketDirectory, `.s.PGSQL.${at.port}`));
    const finish = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket.on("connect", () => finish(true));
    socket.on("error", () => finish(false));
  });
}
