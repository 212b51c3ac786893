import { type ChildProcess, fork } from "node:child_process";
import { createMigrated } from "./cluster.ts";
import { openScratchPostgres, unsafe } from "./scratch-postgres.ts";

/**
 * Starts a Postgres with a database for each worker, and the workers, until all have ended. Told to stop, it stops them:
 * what they work on is put away when the last one has ended. A worker reports by `process.send`.
 *
 * @param script what a worker runs; it gets the URL of its database as `--database`
 * @param argvOf what else each worker is told, by its index
 * @param onReport hears what a worker sends, and can stop the others
 */
export async function runDatabaseWorkers<Report>(
  script: string,
  count: number,
  argvOf: (index: number) => readonly string[],
  onReport: (index: number, report: Report, stopOthers: () => void) => void,
): Promise<void> {
  const running: ChildProcess[] = [];
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      process.stderr.write(`stopped by ${signal}\n`);
      process.exitCode = 1;
      for (const child of running) child.kill();
    });
  }
  const postgres = await openScratchPostgres(unsafe, console.error);
  try {
    const urls: string[] = [];
    for (let index = 0; index < count; index += 1) urls.push(await createMigrated(postgres.url, `worker_${index}`));
    const done = urls.map(async (url, index) => {
      const child = fork(script, ["--database", url, ...argvOf(index)]);
      running.push(child);
      const stopOthers = () => {
        for (const other of running) if (other !== child) other.kill();
      };
      child.on("message", (report: Report) => onReport(index, report, stopOthers));
      await new Promise((resolve) => child.on("exit", resolve));
      if (child.exitCode === 0 || child.killed) return;
      process.stderr.write(`a worker ended with ${child.exitCode ?? child.signalCode}\n`);
      process.exitCode = 1;
    });
    await Promise.all(done);
  } finally {
    await postgres.stop();
  }
}
