import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { bareEnvironment } from "./bare-environment.ts";

/** What a command that has ended left. */
export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** A command that runs. */
export type Running = ReturnType<typeof startCommand>;

export type CommandOptions = {
  /** The only settings the command gets, besides CONSOLE=false: whether one is built here must not matter. */
  readonly env: Record<string, string>;
  /** Written to standard input; without it there is none. */
  readonly input?: string;
  /** Leaves standard input open after what is written to it. */
  readonly keepInputOpen?: boolean;
  /** The main file, of another version of the service. */
  readonly main?: string | undefined;
  /** How long it may take to its end before it is killed, in milliseconds; less than its test may take. */
  readonly longestMs?: number;
};

const ourMain = path.join(import.meta.dirname, "../../src/main.ts");

/** Starts a command of the service as a process of its own. */
export function startCommand(args: readonly string[], options: CommandOptions) {
  const { env, input, keepInputOpen, main = ourMain } = options;
  const child: ChildProcess = spawn(process.execPath, [main, ...args], {
    env: { ...bareEnvironment, CONSOLE: "false", ...env },
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      said[name] += text;
    });
  }
  // A command that refuses early does not read to the end.
  child.stdin?.on("error", () => {});
  child.stdin?.write(input ?? "");
  if (!keepInputOpen) child.stdin?.end();
  const ended = once(child, "close").then(([code]): Ended => ({ code, ...said }));

  return {
    process: child,
    ended,
    /** Resolves to the whole standard output or error so far, as soon as it matches. */
    async until(stream: "stdout" | "stderr", pattern: RegExp) {
      let over = false;
      ended.finally(() => {
        over = true;
      });
      while (!pattern.test(said[stream])) {
        if (over) throw new Error(`the command ended: ${said.stdout}${said.stderr}`);
        await Promise.race([ended, once(child[stream] ?? child, "data")]);
      }
      return said[stream];
    },
  };
}

/** Resolves to the URL of a server, as soon as it says where it listens. */
export async function urlOf(server: Running, stream: "stdout" | "stderr" = "stderr"): Promise<string> {
  const url = /https?:\/\/127\.0\.0\.1:\d+/;
  return url.exec(await server.until(stream, url))?.[0] ?? "";
}

/** What a command has written as one object a line. */
export function objectsIn(text: string): any[] {
  if (text === "") return [];
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Objects, one a line, as commands read them; texts are lines as they are. */
export function linesOf(...lines: (object | string)[]): string {
  return lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
}

/** Runs a command of the service to its end. One that takes too long is killed, and what it said is shown. */
export async function runCommand(args: readonly string[], options: CommandOptions): Promise<Ended> {
  const { longestMs = 110_000 } = options;
  const { process: child, ended } = startCommand(args, options);
  let isTooLong = false;
  const timer = setTimeout(() => {
    isTooLong = true;
    child.kill("SIGKILL");
  }, longestMs);
  const end = await ended;
  clearTimeout(timer);
  if (isTooLong) throw new Error(`${args.join(" ")} did not end in ${longestMs} ms: ${end.stdout}${end.stderr}`);
  return end;
}
