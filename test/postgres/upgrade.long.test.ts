import { beforeEach, describe, expect, test } from "vitest";
import { missingMigrations } from "../../src/postgres/migrations/migrations.ts";
import { runCommand } from "../support/command.ts";
import { databaseInTest, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await databaseInTest("template0");
});

describe("The database of a build from before the first release", () => {
  const told =
    "The schema cannot be created: this database was made by an earlier build and cannot be migrated. Export it with " +
    "that build and import the file into an empty database with this one; an export contains neither history nor tokens\n";
  const earlier: [string, string[]][] = [
    ["with migrations of the same names", ["0001_directory", "0002_callers", "0003_authorizations"]],
    ["with other migrations", ["0001_directory", "0002_callers", "0003_authorizations", "0004_pages_and_totals"]],
  ];

  test.each(earlier)("%s is refused, whatever is to be done with it, and left alone", async (_what, names) => {
    await database.query(
      "create table migrations (id serial primary key, name text not null, run_on timestamp not null)",
    );
    await database.query("insert into migrations (name, run_on) select name, now() from unnest($1::text[]) name", [
      names,
    ]);
    await expect(missingMigrations({ connectionString: database.url })).rejects.toThrow("made by an earlier build");
    for (const command of [["migrate"], ["export"], ["serve"]]) {
      expect(await runCommand(command, { env: { DATABASE_URL: database.url } })).toEqual({
        code: 1,
        stdout: "",
        stderr: told,
      });
    }
    const tables = "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'";
    expect(await database.query(tables)).toEqual([{ name: "migrations" }]);
  });
});
