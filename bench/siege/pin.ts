import { execFileSync } from "node:child_process";

/** Server, Postgres and honest callers share one core, so that their times don't measure the attackers on the other. */
export const cores = { server: 0, attackers: 1 } as const;

/** Binds this process, and those it starts from now on, to a core. Returns false where there is no `taskset`. */
export function pinTo(core: number): boolean {
  try {
    execFileSync("taskset", ["-acp", String(core), String(process.pid)], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
