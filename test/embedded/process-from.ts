import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

/** Prints the number of a process that has ended and is never asked for its result. */
export const zombie = "true & echo $!; exec sleep 100";

/** Prints the number of a process that has nothing to do with us. */
export const stranger = "sleep 100 & echo $!; wait";

/** The number a shell script writes. */
export async function processFrom(script: string): Promise<number> {
  const child = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"], detached: true });
  onTestFinished(() => {
    if (child.exitCode === null && child.pid) process.kill(-child.pid, "SIGKILL");
  });
  for await (const line of createInterface({ input: child.stdout })) return Number(line);
  throw new Error("the script wrote nothing");
}
