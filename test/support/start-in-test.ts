import { expect, onTestFinished } from "vitest";
import { type CommandOptions, type Ended, type Running, startCommand, urlOf } from "./command.ts";

/** Starts a command as a process of its own, which ends with the test at the latest. */
export function startInTest(args: readonly string[], options: CommandOptions): Running {
  const running = startCommand(args, options);
  onTestFinished(async () => {
    running.process.kill("SIGKILL");
    await running.ended;
  });
  return running;
}

/** Starts a server on any port. Resolves as soon as it says where it is. */
export async function serveInTest(env: Record<string, string>, command: "serve" | "start" = "serve") {
  const running = startInTest([command], { env: { PORT: "0", ...env } });
  return { ...running, url: await urlOf(running, command === "serve" ? "stderr" : "stdout") };
}

/** Ends a server as operators do, which must succeed. */
export async function stop(server: Running): Promise<Ended> {
  server.process.kill("SIGTERM");
  const ended = await server.ended;
  expect(ended).toMatchObject({ code: 0 });
  return ended;
}
