import { mkdir, rm, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { memoryOf, type ServerProcess, startServer } from "../processes.ts";

/** A server with as much memory as a small container has. */
export type Victim = {
  readonly url: string;
  readonly pid: number;
  isAlive(): boolean;
  /** The longest time in milliseconds that the event loop was held since the last question. */
  longestStallMs(): Promise<number>;
  /** Resident memory in MiB at most since the last call of forgetPeak. */
  peakMiB(): Promise<number>;
  forgetPeak(): Promise<void>;
  stop(): Promise<void>;
};

const heapMiB = 268;
const containerMiB = 512;

/** How the server is held: told in the report, because a memory cgroup takes rights that not everybody has. */
export async function openVictim(databaseUrl: string): Promise<Victim & { readonly container: string }> {
  const server = await startServer(
    [
      `--max-old-space-size=${heapMiB}`,
      "--import",
      path.join(import.meta.dirname, "stalls.ts"),
      "src/main.ts",
      "serve",
    ],
    { DATABASE_URL: databaseUrl, LOG_LEVEL: "silent" },
  );
  const pid = server.process.pid ?? 0;
  const group = await confine(pid);
  const alive = () => server.process.exitCode === null && server.process.signalCode === null;
  return {
    url: server.url,
    pid,
    container: `--max-old-space-size=${heapMiB}, ${group === undefined ? "no memory cgroup to be had" : `a memory cgroup of ${containerMiB} MiB`}`,
    isAlive: alive,
    longestStallMs: () => ask(server),
    peakMiB: async () => (await memoryOf(pid)).peak,
    // Linux begins to count anew.
    forgetPeak: () => writeFile(`/proc/${pid}/clear_refs`, "5"),
    async stop() {
      if (alive()) await server.stop();
      if (group !== undefined) await rmdir(group).catch(() => {});
    },
  };
}

/** Not a number when the server ended. */
function ask({ process: child }: ServerProcess): Promise<number> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(Number.NaN);
  return new Promise((resolve) => {
    const answered = (longest: unknown) => {
      child.off("message", answered).off("exit", ended);
      resolve(longest as number);
    };
    const ended = () => answered(Number.NaN);
    child.on("message", answered).on("exit", ended).send("stalls");
  });
}

/** Puts a process into a memory cgroup of its own, of version 1 or 2, where this process may make one. */
async function confine(pid: number): Promise<string | undefined> {
  for (const [root, limit] of [
    ["/sys/fs/cgroup/memory", "memory.limit_in_bytes"],
    ["/sys/fs/cgroup", "memory.max"],
  ] as const) {
    const group = path.join(root, `bench-bodies-${pid}`);
    try {
      await mkdir(group);
      await writeFile(path.join(group, limit), String(containerMiB * 1_048_576));
      await writeFile(path.join(group, "cgroup.procs"), String(pid));
      return group;
    } catch {
      await rm(group, { recursive: false, force: true }).catch(() => {});
      await rmdir(group).catch(() => {});
    }
  }
  return undefined;
}
