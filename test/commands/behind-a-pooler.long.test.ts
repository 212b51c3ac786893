import { describe, expect, test } from "vitest";
import { runCommand } from "../support/command.ts";
import { databaseInTest, smallWorldOfTests } from "../support/database.ts";
import { openFakePooler, transactionMode } from "../support/fake-pooler.ts";
import { startInTest } from "../support/start-in-test.ts";

const world = await smallWorldOfTests();

const whatToDo =
  /^DATABASE_URL cannot be used: A connection pooler shares Postgres sessions among its clients \(.+\), and the service needs its own\. Connect to Postgres directly, or set the pooler to session mode \(PgBouncer: pool_mode = session, with its default server_reset_query\)\.\n$/;

describe("Behind a pooler in transaction mode", () => {
  test("every command says what to do, and does nothing else", async () => {
    const pooler = await openFakePooler(world.url, transactionMode);
    const commands = ["serve", "migrate", "import -", "export", "events --authorization a1", "check", "token list"];
    const env = { DATABASE_URL: pooler.url, PORT: "0" };
    const running = commands.map((command) => startInTest(command.split(" "), { env, input: "" }));
    const ends = await Promise.all(running.map(({ ended }) => ended));
    for (const end of ends) expect(end).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(whatToDo) });
  });

  test("no schema is made", async () => {
    const empty = await databaseInTest("template0");
    const pooler = await openFakePooler(empty.url, transactionMode);
    expect(await runCommand(["migrate"], { env: { DATABASE_URL: pooler.url } })).toMatchObject({ code: 1 });
    expect(await empty.query("select to_regclass('migrations') as migrations")).toEqual([{ migrations: null }]);
  });
});
