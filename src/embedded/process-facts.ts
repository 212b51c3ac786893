import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** Facts that distinguish a process from a later one with the same number. */
export type ProcessFacts = {
  /** When it started, as a text that is only useful for comparing. */
  readonly started: string;
  /** The program and its arguments; empty for a zombie. */
  readonly command: string;
  /** Whether it has ended but its parent has not collected the result yet. Sending it signals still succeeds. */
  readonly zombie: boolean;
};

/** Undefined if no process has that number. */
export async function lookUpProcess(pid: number): Promise<ProcessFacts | undefined> {
  return process.platform === "linux" ? readProc(pid) : askPs(pid);
}

async function readProc(pid: number): Promise<ProcessFacts | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    const command = (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll("\0", " ").trim();
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
    // The second field is the program's name in parentheses, which can contain anything, so count from its end. The
    // state comes first, and nineteen fields later the start in ticks since boot.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { started: `${boot.trim()} ${fields[19]}`, command, zombie: fields[0] === "Z" || fields[0] === "X" };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ESRCH") return undefined;
    throw error;
  }
}

async function askPs(pid: number): Promise<ProcessFacts | undefined> {
  // The text of the start depends on the language and the time zone, which can differ between two processes.
  const columns = ["-o", "lstart=", "-o", "state=", "-o", "command="];
  const args = ["LC_ALL=C", "TZ=UTC", "ps", "-ww", ...columns, "-p", String(pid)];
  const { stdout } = await promisify(execFile)("env", args).catch((error: { code?: unknown }) => {
    if (error.code === 1) return { stdout: "" };
    throw error;
  });
  const [, started = "", state = "", command = ""] = /^(.{24})\s+(\S+)\s*(.*)$/s.exec(stdout.trim()) ?? [];
  return started === "" ? undefined : { started, command, zombie: state.startsWith("Z") };
}
