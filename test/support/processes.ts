import { spawnSync } from "node:child_process";

/** Every process of this machine. */
export function allProcesses() {
  const { stdout } = spawnSync("ps", ["-axww", "-o", "pid=,ppid=,command="], { encoding: "utf8" });
  return stdout.split("\n").map((line) => {
    const [pid = "", parent = "", ...command] = line.trim().split(/ +/);
    return { pid: Number(pid), parent: Number(parent), command: command.join(" ") };
  });
}

/** The processes that a process has started, or those of them whose command ends so. */
export function childrenOf(pid: number | undefined, end = ""): number[] {
  const children = allProcesses().filter(({ parent, command }) => parent === pid && command.endsWith(end));
  return children.map((child) => child.pid);
}

export const workersOf = (pid: number | undefined) => childrenOf(pid, " worker");

/** Whether a process is there, and no zombie. */
export function isAlive(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.trim().startsWith("Z");
}

/** False if there is no such process any more. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}
