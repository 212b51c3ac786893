import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../support/command.ts";
import { folderOfTests } from "../support/folders.ts";

const main = join(await folderOfTests("endless"), "main.mjs");
await writeFile(main, "console.log(`process`, process.pid); setInterval(() => {}, 1_000);");

test("A command that takes too long is killed, and what it said is shown", async () => {
  const message = await runCommand(["wait"], { env: {}, main, longestMs: 10_000 }).then(
    () => "it ended",
    (error: Error) => error.message,
  );
  const [, pid] = /^wait did not end in 10000 ms: process (\d+)\n$/.exec(message) ?? [];
  expect(pid, message).toBeDefined();
  expect(() => process.kill(Number(pid), 0)).toThrow("ESRCH");
});
