import { spawn } from "node:child_process";
import { once } from "node:events";

/** What commands printed, on both outputs, and which of them failed. */
export type Printed = { readonly output: string; readonly failed: readonly string[] };

/** A shell like a newcomer's terminal: what is set, exported and started stays for the next commands. */
export type Shell = {
  run(commands: string): Promise<Printed>;
  /** Ends the shell and everything that it started. */
  close(): Promise<void>;
};

export function openShell(folder: string, env: Record<string, string>): Shell {
  // A group of its own, so that what commands leave running can be ended.
  const bash = spawn("bash", ["--norc", "--noprofile"], { cwd: folder, env, detached: true });
  let output = "";
  for (const stream of [bash.stdout, bash.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  bash.stdin.write("exec 2>&1\ntrap 'echo \"\u001d$BASH_COMMAND\u001d\"' ERR\n");
  const ended = once(bash, "close");
  const over = ended.then(() => Promise.reject(new Error(`the shell ended: ${output}`)));
  over.catch(() => {});
  return {
    async run(commands) {
      output = "";
      bash.stdin.write(`{\n${commands}\n} </dev/null\necho $'\\x1e'\n`);
      while (!output.includes("\u001e")) await Promise.race([once(bash.stdout, "data"), over]);
      const failed = [...output.matchAll(/\u001d(.*?)\u001d\n/gs)].map(([, command = ""]) => command);
      return { output: output.replaceAll(/\u001d.*?\u001d\n/gs, "").replace("\u001e\n", ""), failed };
    },
    async close() {
      process.kill(-(bash.pid ?? 0), "SIGTERM");
      await ended;
    },
  };
}
