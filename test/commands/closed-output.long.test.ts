import { expect, test } from "vitest";
import { startCommand } from "../support/command.ts";
import { smallWorldOfTests } from "../support/database.ts";

const database = await smallWorldOfTests();
await database.query("insert into tokens (id, user_id, hash) values ('token', 'ann', sha256('secret'))");

const env = { DATABASE_URL: database.url };

test("an import continues when no one reads its progress", async () => {
  const input = '{"organization":{"id":"umbrella","name":"Umbrella"}}\n';
  const { process: command, ended } = startCommand(["import", "-"], { env, input });
  command.stderr?.destroy();
  expect(await ended).toMatchObject({ code: 0 });
  expect(await database.query("select from organizations where id = 'umbrella'")).toHaveLength(1);
});

test.each(["export", "token list", "events", "events --follow"])(
  "%s ends without a word, as by SIGPIPE, when what reads it has left",
  async (line) => {
    const { process: command, ended } = startCommand(line.split(" "), { env });
    // As after `head` has seen enough.
    command.stdout?.destroy();
    expect(await ended).toEqual({ code: 141, stdout: "", stderr: "" });
  },
);
