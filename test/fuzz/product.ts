import { readdir, readFile } from "node:fs/promises";
import { serve, startServer } from "../history/servers.ts";

/** The service as it is run: a process of its own, on a migrated database that it has for itself. */
export type Product = Awaited<ReturnType<typeof startProduct>>;

export const poolSize = 10;

export async function startProduct(databaseUrl: string) {
  const env = { DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: String(poolSize), LOG_LEVEL: "info" };
  const { url, faults, stop, process: running } = await startServer("the server", serve, env);
  const { pid } = running();
  return {
    port: Number(new URL(url() ?? "").port),
    /** What it logged as unexpected; to be taken away by who reads it. */
    faults,
    /** Memory in use, in MiB; undefined where that cannot be found out. */
    async memory(): Promise<number | undefined> {
      const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
      const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
      return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1_024);
    },
    /** Open files and connections; undefined where that cannot be found out. */
    openFiles: async () => (await readdir(`/proc/${pid}/fd`).catch(() => undefined))?.length,
    isAlive: () => running().exitCode === null && running().signalCode === null,
    stop,
  };
}
