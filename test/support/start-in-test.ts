import { expect, onTestFinished } from "vitest";
import { type CommandOptions, type Ended, type Running, startCommand } from "./command.ts";

/** Starts a command as a process of its own, which ends with the test at the latest. */
export function startInTest(args: readonly string[], options: CommandOptions): Running {
  const running = startCommand(args, options);
  onTestFinished(async () => {
    running.process.kill("SIGKILL");
    await running.ended;
  });
  return running;
}

/** Ends a server as operators do, which must succeed. */
export async function stop(server: Running): Promise<Ended> {
  server.process.kill("SIGTERM");
  const ended = await server.ended;
  expect(ended).toMatchObject({ code: 0 });
  return ended;
}
