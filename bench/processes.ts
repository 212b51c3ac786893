import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../test/support/free-port.ts";

export type ServerProcess = {
  readonly url: string;
  readonly process: ChildProcess;
  stop(): Promise<void>;
};

const root = path.join(import.meta.dirname, "..");

/** Starts a server as a process of its own and waits until it answers. */
export async function startServer(
  command: readonly string[],
  environment: Record<string, string>,
): Promise<ServerProcess> {
  const port = await freePort();
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: { ...process.env, ...environment, PORT: String(port) },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    serialization: "advanced",
  });
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${command.join(" ")} ended with code ${child.exitCode}`);
    const ready = await fetch(`${url}/readyz`).catch(() => undefined);
    if (ready?.ok) return { url, process: child, stop: () => stopProcess(child) };
    await sleep(50);
  }
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const forced = setTimeout(() => child.kill("SIGKILL"), 15_000);
  await ended;
  clearTimeout(forced);
}

/** Resident memory in MiB, now and at most so far; Linux alone tells this of another process. */
export async function memoryOf(pid: number | undefined): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? Number.NaN) / 1024;
  return { now: read("VmRSS"), peak: read("VmHWM") };
}

/** Processor time that a process has used so far, in milliseconds; NaN where the system does not tell. */
export async function processorTime(pid: number | undefined): Promise<number> {
  const { own } = await processorTimes(pid);
  return own;
}

/** The same for Postgres: its first process and all that it has started, also those that have ended. */
export async function processorTimeOfPostgres(postmaster: number): Promise<number> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(pids.map((pid) => processorTimes(Number(pid))));
  const { own, ofEnded } = await processorTimes(postmaster);
  return all.reduce((sum, one) => (one.parent === postmaster ? sum + one.own : sum), own + ofEnded);
}

export async function parentOf(pid: number | undefined): Promise<number> {
  return (await processorTimes(pid)).parent;
}

/** Linux counts in hundredths of a second. */
const tick = 10;

async function processorTimes(pid: number | undefined): Promise<{ parent: number; own: number; ofEnded: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name, in brackets, may have spaces.
  const fields = stat
    .replace(/^.*\) /s, "")
    .split(" ")
    .map(Number);
  const [parent, user, system, endedUser, endedSystem] = [1, 11, 12, 13, 14].map(
    (index) => fields[index] ?? Number.NaN,
  );
  return {
    parent: parent ?? Number.NaN,
    own: tick * ((user ?? Number.NaN) + (system ?? Number.NaN)),
    ofEnded: tick * ((endedUser ?? Number.NaN) + (endedSystem ?? Number.NaN)),
  };
}
