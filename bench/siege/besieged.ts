import { workersOf } from "../../test/support/processes.ts";
import { memoryOf, startServer } from "../processes.ts";

/** A server as small as the ones that are attacked: started as people do, with a bounded heap and all else by default. */
export type Besieged = {
  readonly port: number;
  /** The most resident memory of one of its processes so far, in MiB. */
  peakMiB(): number;
  /** When the first of its processes ended without being asked to, by performance.now(). Undefined: all are there. */
  endedAt(): number | undefined;
  stop(): Promise<void>;
};

export const heapMiB = 268;

export async function openBesieged(workers: number, environment: Record<string, string>): Promise<Besieged> {
  const server = await startServer([`--max-old-space-size=${heapMiB}`, "src/main.ts", "serve"], {
    WORKERS: String(workers),
    LOG_LEVEL: "silent",
    ...environment,
  });
  const main = server.process.pid ?? 0;
  const pids = new Set([main]);
  let peak = 0;
  let endedAt: number | undefined;
  const look = async () => {
    if (workers > 1) for (const pid of workersOf(main)) pids.add(pid);
    for (const pid of pids) {
      // Linux keeps the peak itself, but forgets it with the process.
      const memory = await memoryOf(pid);
      if (memory.peak > peak) peak = memory.peak;
      if (Number.isNaN(memory.peak)) endedAt ??= performance.now();
    }
  };
  await look();
  const looking = setInterval(look, workers > 1 ? 500 : 50);
  return {
    port: Number(new URL(server.url).port),
    peakMiB: () => peak,
    endedAt: () => endedAt,
    async stop() {
      clearInterval(looking);
      await server.stop();
    },
  };
}
