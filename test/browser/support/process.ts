import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

/** A service that serves the console and the demo world. */
export type Service = {
  readonly url: string;
  /** Tokens of people of the demo world; empty unless this start has loaded it. */
  readonly tokens: Tokens;
  /** As a power cut does. */
  kill(): Promise<void>;
  /** Ends it as operators do. */
  stop(): Promise<void>;
};

/** carol owns the instance, ann owns the organization Acme, bob is a plain user. */
export type Tokens = Readonly<Record<"carol" | "ann" | "bob", string>>;

const main = path.join(import.meta.dirname, "../../../src/main.ts");

/** Starts `npm start` as a process of its own and waits until it has said all it says. */
export async function startService(env: Record<string, string>): Promise<Service> {
  const child = spawn(process.execPath, [main, "start"], {
    env: { PATH: process.env.PATH ?? "", LOG_LEVEL: "warn", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const greeting = await readUntil(child, /TOKEN=[\s\S]*"limit":1/);
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(greeting)?.[0] ?? "";
  const token = (user: string) => new RegExp(`^# ${user} .*\nTOKEN=(\\S+)`, "m").exec(greeting)?.[1] ?? "";
  return {
    url,
    tokens: { carol: token("carol"), ann: token("ann"), bob: token("bob") },
    kill: () => end(child, "SIGKILL"),
    stop: () => end(child, "SIGTERM"),
  };
}

async function readUntil(child: ChildProcess, pattern: RegExp): Promise<string> {
  let said = "";
  const ended = once(child, "close");
  const reading = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (pattern.test(said)) reading.resolve();
    });
  }
  const isOver = await Promise.race([reading.promise.then(() => false), ended.then(() => true)]);
  if (isOver) throw new Error(`the service did not start: ${said}`);
  return said;
}

async function end(child: ChildProcess, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "close");
  child.kill(signal);
  await ended;
}
