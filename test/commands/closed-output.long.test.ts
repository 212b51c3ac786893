import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { bareEnvironment } from "../support/bare-environment.ts";
import { smallWorldOfTests } from "../support/database.ts";

const database = await smallWorldOfTests();
await database.query("insert into tokens (id, user_id, hash) values ('token', 'ann', sha256('secret'))");

const main = path.join(import.meta.dirname, "../../src/main.ts");

/** Runs a command whose standard output no one reads any more, as after `head` has seen enough. */
async function withoutReader(args: string[]): Promise<{ code: number | null; stderr: string }> {
  const command = spawn(process.execPath, [main, ...args], {
    env: { ...bareEnvironment, DATABASE_URL: database.url },
    stdio: ["ignore", "pipe", "pipe"],
  });
  command.stdout.destroy();
  const [stderr, [code]] = await Promise.all([text(command.stderr), once(command, "exit")]);
  return { code, stderr };
}

test("an import continues when no one reads its progress", async () => {
  const command = spawn(process.execPath, [main, "import", "-"], {
    env: { ...bareEnvironment, DATABASE_URL: database.url },
    stdio: ["pipe", "ignore", "pipe"],
  });
  command.stderr.destroy();
  command.stdin.end('{"organization":{"id":"umbrella","name":"Umbrella"}}\n');
  expect(await once(command, "exit")).toEqual([0, null]);
  expect(await database.query("select from organizations where id = 'umbrella'")).toHaveLength(1);
});

test.each(["export", "token list", "events", "events --follow"])(
  "%s ends without a word, as by SIGPIPE, when what reads it has left",
  async (line) => {
    expect(await withoutReader(line.split(" "))).toEqual({ code: 141, stderr: "" });
  },
);
