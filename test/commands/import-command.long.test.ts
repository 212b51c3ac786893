import { statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { linesOf, runCommand, startCommand } from "../support/command.ts";
import { databaseOfTests } from "../support/database.ts";
import { folderOfTests } from "../support/folders.ts";
import { stored } from "../support/stored.ts";
import { smallWorld, user } from "../support/world.ts";

const folder = await folderOfTests("import-test");
const database = await databaseOfTests("template0");
const env = { DATABASE_URL: database.url };

function fileOf(name: string, ...lines: (object | string)[]): string {
  const file = path.join(folder, name);
  writeFileSync(file, linesOf(...lines));
  return file;
}

test("import FILE makes the schema, imports, and tells its progress on standard error", async () => {
  const { code, stdout, stderr } = await runCommand(["import", fileOf("world.ndjson", ...smallWorld)], { env });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(stderr).toMatch(/lines read, applying them\n(.* applied\n)+Imported 25 changes\.\n$/);
  expect((await stored(database)).authorizations).toHaveLength(6);
});

test("import - reads standard input", async () => {
  const input = linesOf("", user("eve", "acme"));
  expect(await runCommand(["import", "-"], { env, input })).toMatchObject({ code: 0, stdout: "" });
  expect(await database.query("select organization_id from users where id = 'eve'")).toEqual([
    { organization_id: "acme" },
  ]);
});

test("import keeps its --reason in all its events, with one id for them", async () => {
  const input = linesOf(
    { project: { id: "tools", organizationId: "acme", name: "Tools" } },
    ...["ann", "adam"].map((userId) => ({
      authorization: { id: `tools-${userId}`, userId, projectId: "tools", organizationId: "acme" },
    })),
  );
  expect(await runCommand(["import", "-", "--reason", " the move "], { env, input })).toMatchObject({ code: 0 });
  const events = await database.query<{ reason: string; request_id: string; actor_id: null }>(
    "select reason, request_id, actor_id from events where project_id = 'tools'",
  );
  expect(events.map(({ reason, actor_id }) => [reason, actor_id])).toEqual(Array(2).fill(["the move", null]));
  expect(new Set(events.map(({ request_id }) => request_id)).size).toBe(1);
});

test.each([
  ["x".repeat(501), "--reason must be at most 500 characters, got 501."],
  ["a\ufffdb", "--reason must be UTF-8 text without NUL characters."],
])("a reason that can't be kept is refused before anything is read: %#", async (reason, message) => {
  const ended = await runCommand(["import", fileOf("fine.ndjson", user("zed", "acme")), "--reason", reason], { env });
  expect(ended).toEqual({ code: 1, stdout: "", stderr: `${message}\n` });
  expect(await database.query("select from users where id = 'zed'")).toEqual([]);
});

test("an empty file is no change and no error", async () => {
  expect(await runCommand(["import", fileOf("empty.ndjson")], { env })).toMatchObject({ code: 0 });
});

test.each<[what: string, lines: (object | string)[], says: RegExp]>([
  ["is no change", ['{"user":{"id":"x"}}', "{"], /^line 3: .*user\.organizationId/],
  [
    "can't be applied",
    [user("x", "nowhere")],
    /\nline 3: organization "nowhere" does not exist \(REFERENCE_NOT_FOUND\)/,
  ],
])("a line that %s is refused with its number and reason, and nothing is imported", async (_what, lines, says) => {
  const before = await stored(database);
  const file = fileOf("bad.ndjson", user("mallory", "acme"), "", ...lines);
  const { code, stdout, stderr } = await runCommand(["import", file], { env });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(says);
  expect(stderr).toMatch(/^line 3: .*\nNothing was imported\.\n$/m);
  expect(await stored(database)).toEqual(before);
});

test.each(["SIGINT", "SIGTERM", "SIGKILL"] as const)("an import that %s ends leaves nothing", async (signal) => {
  const before = await stored(database);
  const users = Array.from({ length: 10_000 }, (_, index) => user(`u${index}`, "acme"));
  const importing = startCommand(["import", "-"], { env, input: linesOf(...users), keepInputOpen: true });
  await importing.until("stderr", /^10000 lines read$/m);
  importing.process.kill(signal);
  expect(await importing.ended).toMatchObject({ code: null, stdout: "" });
  expect(await stored(database)).toEqual(before);
});

test("a file may be of any size: of more changes and more bytes than a request may have", async () => {
  const avatarUrl = `https://pictures.example/${"x".repeat(1_500)}`;
  const users = Array.from({ length: 3_000 }, (_, index) => ({
    user: { id: `of-many-${index}`, organizationId: "acme", preferredLoginName: String(index), avatarUrl },
  }));
  const file = fileOf("large.ndjson", ...users);
  expect(statSync(file).size).toBeGreaterThan(4_194_304);
  const { code, stderr } = await runCommand(["import", file], { env });
  expect({ code, end: stderr.split("\n").at(-2) }).toEqual({ code: 0, end: "Imported 3000 changes." });
});
