import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { bareEnvironment } from "../support/bare-environment.ts";

/** The service as it is run: a process of its own, on a migrated database that it has for itself. */
export type Product = {
  readonly port: number;
  /** What it logged as unexpected; to be taken away by who reads it. */
  readonly faults: string[];
  /** Memory in use, in MiB; undefined where that cannot be found out. */
  memory(): Promise<number | undefined>;
  /** Open files and connections; undefined where that cannot be found out. */
  openFiles(): Promise<number | undefined>;
  /** Whether it is still the process that was started. */
  isAlive(): boolean;
  /** Tells it to stop; resolves to its exit code, or null when it had to be killed. */
  stop(): Promise<number | null>;
};

/** Longer than the server gives to what is in flight. */
const stopPatienceMs = 20_000;

export const poolSize = 10;

const main = path.join(import.meta.dirname, "../../src/main.ts");

export async function startProduct(databaseUrl: string): Promise<Product> {
  const env = {
    ...bareEnvironment,
    DATABASE_URL: databaseUrl,
    PORT: "0",
    CONSOLE: "false",
    LOG_LEVEL: "info",
  };
  const child = spawn(process.execPath, [main, "serve"], {
    env: { ...env, DATABASE_POOL_SIZE: String(poolSize) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  // Without the one who sends, it would serve for ever.
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  const faults: string[] = [];
  const port = await listening(child, faults);
  return {
    port,
    faults,
    memory: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
      const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
      return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1_024);
    },
    openFiles: async () => (await readdir(`/proc/${child.pid}/fd`).catch(() => undefined))?.length,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      const givingUp = setTimeout(kill, stopPatienceMs);
      const [code] = await exited;
      clearTimeout(givingUp);
      return code as number | null;
    },
  };
}

/** Resolves to the port as soon as it is known; keeps reading what is logged. */
function listening(child: ChildProcess, faults: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    let rest = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      const logged = (rest + text).split("\n");
      rest = logged.pop() ?? "";
      for (const line of logged) {
        const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1];
        if (port !== undefined) resolve(Number(port));
        if (isFault(line)) faults.push(line);
      }
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${faults.join("\n")}${rest}`)));
  });
}

/** Everything that is no plain line of the log, or is at least an error. */
function isFault(line: string): boolean {
  try {
    return (JSON.parse(line) as { level: number }).level >= 50;
  } catch {
    return line.trim() !== "";
  }
}
