import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bareEnvironment } from "../support/bare-environment.ts";
import { workersOf } from "../support/processes.ts";

/** A server process that is started again when it was ended. */
export type TroubledServer = Awaited<ReturnType<typeof startServer>>;

const poolSize = 8;
const startsWithinMs = 60_000;
const logLevelError = 50;

/** @param main the file to run, with its arguments */
export async function startServer(name: string, main: readonly string[], env: Record<string, string>) {
  const faults: string[] = [];
  let url: string | undefined;
  let child: ChildProcess;
  let busy: Promise<unknown> = Promise.resolve();
  let stopped = false;

  async function start(): Promise<void> {
    const giveUpAt = Date.now() + startsWithinMs;
    for (;;) {
      child = spawn(process.execPath, main, {
        env: {
          ...bareEnvironment,
          CONSOLE: "false",
          PORT: "0",
          DATABASE_POOL_SIZE: String(poolSize),
          MIGRATE: "false",
          ...env,
        },
        stdio: ["ignore", "ignore", "pipe"],
      });
      url = await listening(child, faults);
      if (url !== undefined) return;
      // It does not start while Postgres is away.
      if (Date.now() > giveUpAt) throw new Error(`${name} does not start: ${faults.slice(-5).join("\n")}`);
      await sleep(100);
    }
  }

  async function end(how: "SIGKILL" | "SIGTERM"): Promise<void> {
    url = undefined;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(how);
    // Longer than the server gives to what is in flight.
    const forced = setTimeout(() => child.kill("SIGKILL"), 20_000);
    await ended;
    clearTimeout(forced);
  }

  await start();
  // Without the one who uses it, it would serve for ever.
  process.once("exit", () => child.kill("SIGKILL"));
  return {
    name,
    /** What it logged as unexpected, a line each. */
    faults,
    /** Where it listens now; undefined while it does not. */
    url: () => url,
    /** The process that serves now. */
    process: () => child,
    /** Ends it, waits, and starts another one on another port. */
    restart(how: "SIGKILL" | "SIGTERM", pauseMs: number): Promise<void> {
      const next = busy.then(async () => {
        await end(how);
        await sleep(pauseMs);
        if (!stopped) await start();
      });
      busy = next.catch(() => {});
      return next;
    },
    /** Kills one of its workers, and leaves it to the server to replace it. */
    async killWorker(which: number) {
      const workers = workersOf(child.pid);
      const pid = workers[which % workers.length];
      if (pid !== undefined) process.kill(pid, "SIGKILL");
    },
    /** Resolves to its exit code, or to null when it had to be killed. */
    async stop() {
      stopped = true;
      await busy;
      await end("SIGTERM");
      return child.exitCode;
    },
  };
}

export const serve = [path.join(import.meta.dirname, "../../src/main.ts"), "serve"];
export const servePlanted = (bug: string) => [path.join(import.meta.dirname, "planted-server.ts"), bug];

/** Resolves to where it listens, or to nothing when it ends before. Reads its log all its life. */
function listening(child: ChildProcess, faults: string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    let rest = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
        if (url !== undefined) resolve(url);
        if (isFault(line)) faults.push(line);
      }
    });
    child.once("exit", () => resolve(undefined));
  });
}

/** Whatever is no line of the log tells why a server did not start. */
function isFault(line: string): boolean {
  try {
    return JSON.parse(line).level >= logLevelError;
  } catch {
    return line.trim() !== "";
  }
}
