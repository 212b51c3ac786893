import { spawn } from "node:child_process";
import { once } from "node:events";

export type Shell = ReturnType<typeof openShell>;

/** Around a command that failed, and after the last one. */
const mark = "\u001d";
const end = "\u001e";

/** A shell like a newcomer's terminal: what is set, exported and started stays for the next commands. */
export function openShell(folder: string, env: NodeJS.ProcessEnv) {
  // A group of its own, so that what commands leave running can be ended.
  const bash = spawn("bash", ["--norc", "--noprofile"], { cwd: folder, env, detached: true });
  let output = "";
  for (const stream of [bash.stdout, bash.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  bash.stdin.write(`exec 2>&1\ntrap 'printf %s "${mark}$BASH_COMMAND${mark}"' ERR\n`);
  const ended = once(bash, "close");
  const over = ended.then(() => Promise.reject(new Error(`the shell ended: ${output}`)));
  over.catch(() => {});
  return {
    /** What commands printed, on both outputs, and which of them failed. */
    async run(commands: string) {
      output = "";
      bash.stdin.write(`{\n${commands}\n} </dev/null\necho "${end}"\n`);
      while (!output.includes(`${end}\n`)) await Promise.race([once(bash.stdout, "data"), over]);
      // Output and failed commands take turns.
      const parts = output.replace(`${end}\n`, "").split(mark);
      return {
        output: parts.filter((_, index) => index % 2 === 0).join(""),
        failed: parts.filter((_, index) => index % 2 === 1),
      };
    },
    /** Ends the shell and everything that it started. */
    async close() {
      process.kill(-(bash.pid ?? 0), "SIGTERM");
      await ended;
    },
  };
}
