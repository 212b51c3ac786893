import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile, rename, stat } from "node:fs/promises";

export type WatchedProcess = Readonly<Awaited<ReturnType<typeof startWatched>>>;

/** A larger log is moved aside when a command starts. Two files are kept. */
const largestLog = 10_000_000;

/**
 * Stops the command when Node closes a pipe, which also happens a moment after Node ends for any reason. The pipe is the
 * command's standard input, which a shell reads in the background. SIGTERM stops a Postgres that has not set up its
 * signals yet, when SIGINT would be lost. SIGINT then turns the smart shutdown, which waits for clients, into a fast
 * one. SIGQUIT is the last resort, and loses no commit. The inner parentheses hand the reader over to init, because
 * Postgres would be confused by a child that is not its own.
 */
const script = `
exec 3<&0
( (
  read -r _ <&3
  kill -TERM $$
  tries=0
  while kill -INT $$ && [ $tries -lt 300 ]; do tries=$((tries + 1)); sleep 0.2 || sleep 1; done
  kill -QUIT $$
) >/dev/null 2>&1 & )
exec "$@" </dev/null 3<&-
`;

/**
 * Starts a command in a session of its own, where Ctrl-C in the terminal doesn't reach it. Its output goes to the log.
 */
export async function startWatched(
  command: readonly string[],
  { folder, log }: { readonly folder: string; readonly log: string },
) {
  const { size } = await stat(log).catch(() => ({ size: 0 }));
  if (size > largestLog) await rename(log, `${log}.old`);
  await using output = await open(log, "a", 0o600);
  const child = spawn("sh", ["-c", script, "sh", ...command], {
    cwd: folder,
    detached: true,
    stdio: ["pipe", output.fd, output.fd],
  });
  const ended = new Promise<string>((resolve) => {
    child.on("exit", (code, signal) => resolve(signal ? `was ended by ${signal}` : `exited with code ${code}`));
  });
  await once(child, "spawn");
  return {
    /** The process of the command itself, because the shell becomes the command. */
    pid: child.pid as number,
    /** Resolves to a text for people about how it ended. Never rejects. */
    ended,
    /** Ends a Postgres in order, without waiting for its clients. */
    async stop(): Promise<void> {
      child.stdin?.end();
      // In case the watching shell was killed.
      child.kill("SIGINT");
      await ended;
    },
  };
}

/** The end of the log, for a message. */
export async function lastLines(log: string): Promise<string> {
  const lines = (await readFile(log, "utf8")).trimEnd().split("\n").slice(-20);
  return `The end of ${log}:\n${lines.join("\n")}`;
}
