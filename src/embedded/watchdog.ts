import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { open } from "node:fs/promises";
import type { Socket } from "node:net";

export type WatchedProcess = {
  /** The process of the command itself, because the shell becomes the command. */
  readonly pid: number;
  /** Resolves to a text for people about how it ended. Never rejects. */
  readonly ended: Promise<string>;
  /** Undefined while it is running. */
  readonly end: () => string | undefined;
  signal(signal: "SIGTERM" | "SIGINT" | "SIGQUIT"): void;
  /** Keeps Node from exiting while the command runs. Without this call, it doesn't. */
  holdNodeOpen(): void;
};

/**
 * Stops the command a moment after Node is gone. Its standard input is a pipe from Node, which a shell reads in the
 * background. The pipe ends when Node ends for any reason, or when the command has ended and there is nothing to stop.
 * SIGTERM also stops a Postgres that has not set up its signals yet, when SIGINT would be lost. SIGINT then turns the
 * smart shutdown, which waits for clients, into a fast one. SIGQUIT is the last resort, and loses no commit. The inner
 * parentheses hand the reader over to init, because Postgres would be confused by a child that is not its own.
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
  place: { readonly cwd: string; readonly log: string },
): Promise<WatchedProcess> {
  const log = await open(place.log, "a", 0o600);
  try {
    const child = spawn("sh", ["-c", script, "sh", ...command], {
      cwd: place.cwd,
      detached: true,
      stdio: ["pipe", log.fd, log.fd],
    });
    return await watch(child);
  } finally {
    await log.close();
  }
}

async function watch(child: ChildProcess): Promise<WatchedProcess> {
  const pipe = child.stdin as Socket;
  let end: string | undefined;
  const ended = new Promise<string>((resolve) => {
    child.on("exit", (code, signal) => {
      end = signal ? `was ended by ${signal}` : `exited with code ${code}`;
      resolve(end);
    });
  });
  await once(child, "spawn");
  child.unref();
  pipe.unref();
  return {
    pid: child.pid as number,
    ended,
    end: () => end,
    signal: (signal) => void child.kill(signal),
    holdNodeOpen: () => child.ref(),
  };
}
