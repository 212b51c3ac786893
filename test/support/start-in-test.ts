import { onTestFinished } from "vitest";
import { type CommandOptions, type Running, startCommand } from "./command.ts";

/** Starts a command as a process of its own, which ends with the test at the latest. */
export function startInTest(args: readonly string[], options: CommandOptions): Running {
  const running = startCommand(args, options);
  onTestFinished(async () => {
    running.process.kill("SIGKILL");
    await running.ended;
  });
  return running;
}
