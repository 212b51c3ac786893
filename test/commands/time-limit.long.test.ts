import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../support/command.ts";

test("A command that takes too long is killed, and what it said is shown", async () => {
  const folder = await mkdtemp(join(tmpdir(), "endless-"));
  try {
    const main = join(folder, "main.mjs");
    await writeFile(main, "console.log(`process`, process.pid); setInterval(() => {}, 1_000);");
    const message = await runCommand(["wait"], { env: {}, main, longestMs: 10_000 }).then(
      () => "it ended",
      (error: Error) => error.message,
    );
    const [, pid] = /^wait did not end in 10000 ms: process (\d+)\n$/.exec(message) ?? [];
    expect(pid, message).toBeDefined();
    expect(() => process.kill(Number(pid), 0)).toThrow("ESRCH");
  } finally {
    await rm(folder, { recursive: true });
  }
});
