import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bareEnvironment } from "../support/bare-environment.ts";
import { childrenOf } from "../support/workers.ts";

/** A server process that is started again when it was ended. */
export type TroubledServer = {
  readonly name: string;
  /** Where it listens now; undefined while it does not. */
  url(): string | undefined;
  /** Ends it, waits, and starts another one on another port. */
  restart(how: "SIGKILL" | "SIGTERM", pauseMs: number): Promise<void>;
  /** Kills one of its workers, and leaves it to the server to replace it. */
  killWorker(which: number): Promise<void>;
  stop(): Promise<void>;
  /** What it logged as unexpected, a line each. */
  readonly faults: readonly string[];
};

const poolSize = 8;
const startsWithinMs = 60_000;
const logLevelError = 50;

/** @param main the file to run, with its arguments */
export async function startServer(
  name: string,
  main: readonly string[],
  env: Record<string, string>,
): Promise<TroubledServer> {
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
    const forced = setTimeout(() => child.kill("SIGKILL"), 15_000);
    await ended;
    clearTimeout(forced);
  }

  await start();
  return {
    name,
    faults,
    url: () => url,
    restart(how, pauseMs) {
      const next = busy.then(async () => {
        await end(how);
        await sleep(pauseMs);
        if (!stopped) await start();
      });
      busy = next.catch(() => {});
      return next;
    },
    async killWorker(which) {
      const workers = childrenOf(child.pid);
      const pid = workers[which % workers.length];
      if (pid !== undefined) process.kill(pid, "SIGKILL");
    },
    async stop() {
      stopped = true;
      await busy;
      await end("SIGTERM");
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
    return true;
  }
}
