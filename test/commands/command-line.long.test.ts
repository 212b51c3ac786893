import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, inject, test } from "vitest";
import { databaseUrl } from "../support/cluster.ts";
import { type Ended, runCommand } from "../support/command.ts";
import { databaseOfTests } from "../support/database.ts";
import { folderOfTests } from "../support/folders.ts";
import { read } from "../support/repository.ts";

/** Nothing may be made here. */
const folder = await folderOfTests("command-line-test");
const empty = await databaseOfTests("template0");

async function refused(args: string[], env: Record<string, string> = {}): Promise<string> {
  const dataDirectory = path.join(folder, "data");
  const ended: Ended = await runCommand(args, { env: { DATA_DIR: dataDirectory, ...env } });
  expect(ended).toMatchObject({ code: 1, stdout: "" });
  expect(existsSync(dataDirectory)).toBe(false);
  expect(ended.stderr).not.toMatch(/^\s+at /m);
  return ended.stderr;
}

test.each<[what: string, args: string[], says: RegExp]>([
  ["no command", [], /Usage: .*Commands:/s],
  ["an unknown command", ["improt"], /unknown command 'improt'.*import/s],
  ["an unknown option", ["token", "create", "--user", "ann", "--expires", "1d"], /unknown option '--expires'/],
  ["an option of another command", ["events", "archive", "--before", "2026-01-01", "--user", "ann"], /--user/],
  ["a missing option", ["token", "create"], /required option '--user <id>'/],
  ["a missing argument", ["import"], /missing required argument 'file'/],
  ["an argument too many", ["migrate", "now"], /too many arguments/],
  ["a file that is not there", ["import", "nowhere.ndjson"], /^nowhere\.ndjson cannot be read: ENOENT/],
  ["a folder instead of a file", ["import", tmpdir()], /cannot be read: it is a folder/],
])("a clear message and a failure for %s", async (_what, args, says) => {
  expect(await refused(args)).toMatch(says);
});

test("--version prints the version", async () => {
  const { version } = JSON.parse(read("package.json"));
  expect(await runCommand(["--version"], { env: {} })).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});

test.each(["start", "serve", "migrate"])("%s names every problem of the settings before it starts", async (command) => {
  const env = { PORT: "x", DEMO: "x", DATABASE_URL: "http://me:open-sesame@db.example" };
  const stderr = await refused([command], env);
  expect(stderr.match(/^\w+(?=:)/gm)).toEqual(["PORT", "DATABASE_URL", "DEMO"]);
  expect(stderr).not.toContain("open-sesame");
});

describe("a database that cannot be used is said so, without the password", () => {
  test.each<[what: string, url: () => string, says: RegExp]>([
    ["nothing listens there", () => "postgresql://me:open-sesame@127.0.0.1:1/db", /can't be reached.*ECONNREFUSED/],
    ["on no address of the name", () => "postgresql://me:open-sesame@localhost:1/db", /can't be reached.*ECONNREFUSED/],
    ["its password is not UTF-8", () => "postgresql://me:open-sesame%ff@127.0.0.1:1/db", /^DATABASE_URL .*UTF-8/],
    [
      "there is no such database",
      () => withPassword("nowhere"),
      /^DATABASE_URL cannot be used: .*"nowhere" does not exist/,
    ],
  ])("%s", async (_what, url, says) => {
    for (const command of ["migrate", "serve"]) {
      const stderr = await refused([command], { DATABASE_URL: url(), PORT: "0" });
      expect(stderr).toMatch(says);
      expect(stderr).not.toContain("open-sesame");
    }
  });

  test("it has no schema yet", async () => {
    const env = { DATABASE_URL: empty.url, MIGRATE: "false", PORT: "0" };
    const init = ["init", "--organization", "Acme", "--login", "ann@acme.example"];
    // Those that only look never change the schema that older servers may run on.
    for (const args of [["token", "list"], ["export"], ["events", "--authorization", "a"]]) {
      expect(await refused(args, { ...env, MIGRATE: "true" })).toMatch(/run the migrate command first/);
    }
    for (const args of [["serve"], ["start"], ["import", import.meta.filename], init]) {
      expect(await refused(args, env)).toMatch(
        /^The database is missing the migrations 0001_directory, .*: run the migrate/,
      );
    }
  });
});

function withPassword(database: string): string {
  const url = new URL(databaseUrl(inject("serverUrl"), database));
  url.searchParams.set("password", "open-sesame");
  return url.toString();
}

test("migrate applies what is missing and names it, and a second time finds the schema current", async () => {
  // The last test: until here it has no schema.
  const env = { DATABASE_URL: empty.url };
  const applied = expect.stringMatching(/^Applied 0001_directory, 0002_callers, 0003_authorizations/);
  expect(await runCommand(["migrate"], { env })).toEqual({ code: 0, stdout: "", stderr: applied });
  const second = await runCommand(["migrate"], { env });
  expect(second).toEqual({ code: 0, stdout: "", stderr: "The schema is up to date.\n" });
});
