import { afterEach, beforeEach, expect, test } from "vitest";
import { exportAll } from "../../src/postgres/directory/export.ts";
import { writeChange } from "../../src/rpc/import-format.ts";
import { entry, organization, project, projectGrant, remove } from "../support/changes.ts";
import { runCommand } from "../support/command.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { fingerprint } from "../support/fingerprint.ts";
import { mixedWorld } from "../support/mixed-world.ts";
import { stored } from "../support/stored.ts";
import { authorization, role, smallWorld, user } from "../support/world.ts";

let database: TestDatabase;
let empty: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
  empty = await createTestDatabase();
});
afterEach(async () => {
  await database.drop();
  await empty.drop();
});

/** What the command writes, without a process for it. */
async function exported(from: TestDatabase, meanwhile = async () => {}): Promise<string> {
  const lines: string[] = [];
  await exportAll({ connectionString: from.url }, async (changes) => {
    lines.push(...changes.map(writeChange));
    await meanwhile();
  });
  return lines.map((line) => `${line}\n`).join("");
}

async function exportedByCommand(from: TestDatabase): Promise<string> {
  const { code, stdout, stderr } = await runCommand(["export"], { env: { DATABASE_URL: from.url } });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

async function importedByCommand(into: TestDatabase, input: string): Promise<void> {
  const { code } = await runCommand(["import", "-"], { env: { DATABASE_URL: into.url }, input });
  expect(code).toBe(0);
}

/** Ids, keys and names that mean something to JSON, COPY, arrays or lines, and dates at both ends. */
function nastyWorld(): object[] {
  const odd = [
    '"',
    "\\",
    "\\N",
    "\\.",
    "\t",
    "\r",
    "\n",
    "\u2028",
    "{,}",
    "NULL",
    "'",
    " ",
    "\u{1f600}",
    "\u{ffee}",
    "%",
  ];
  const dates = [
    "0001-01-01T00:00:00Z",
    "0001-01-01T00:00:00.000001Z",
    "1969-12-31T23:59:59.999999Z",
    "2024-01-01T00:00:00.100Z",
    "2024-01-01T00:00:00.100100Z",
    "9999-12-30T23:59:59.999999Z",
  ];
  return [
    ...odd.map((id) => organization(id, id)),
    ...odd.map((id) => user(id, id, id)),
    project("\n", '"', "\t\\"),
    ...odd.map((key) => role("\n", key, key, key)),
    projectGrant("\\N", "\n", "\\", ...odd),
    projectGrant("\r", "\n", "NULL"),
    entry("\\N", { instance: true }, "IAM_OWNER_VIEWER", "IAM_OWNER"),
    entry("\\N", { projectGrantId: "\\N" }, "PROJECT_GRANT_OWNER"),
    ...odd.map((id, index) =>
      authorization(
        id,
        id,
        "\n",
        index % 2 ? "\\" : '"',
        index % 3 === 0 ? [] : odd.slice(0, index),
        dates[index % dates.length] ?? "",
        index % 4 === 0 ? "STATE_INACTIVE" : "STATE_ACTIVE",
      ),
    ),
  ];
}

test("export writes every field of every thing, each after those it points at, in the format of import", async () => {
  await database.import(...smallWorld.toReversed());
  const lines = (await exportedByCommand(database)).split("\n");
  expect(lines.pop()).toBe("");
  expect(lines).toHaveLength(smallWorld.length);
  const kinds = ["organization", "user", "project", "projectRole", "projectGrant", "administrator", "authorization"];
  const order = lines.map((line) => kinds.indexOf(Object.keys(JSON.parse(line)).join()));
  expect(order).toEqual(order.toSorted((one, other) => one - other));
  for (const line of [
    '{"organization":{"id":"acme","name":"Acme"}}',
    '{"user":{"id":"ann","organizationId":"acme","preferredLoginName":"ann@acme.example","displayName":"ann of acme","avatarUrl":""}}',
    '{"projectRole":{"projectId":"shop","key":"owner","displayName":"Owner","group":""}}',
    '{"administrator":{"userId":"root","roles":["IAM_OWNER"],"instance":true}}',
    '{"authorization":{"id":"a3","userId":"adam","projectId":"depot","organizationId":"acme","roleKeys":[],"state":"STATE_ACTIVE","creationDate":"2024-01-03T00:00:00.000001Z","changeDate":"2024-01-03T00:00:00.000001Z"}}',
  ]) {
    // The order of fields within a thing is nobody's business.
    expect(lines.map((each) => JSON.parse(each))).toContainEqual(JSON.parse(line));
  }
});

const again = "export, import into an empty database and export again is identical, byte for byte";

function loadLines(into: TestDatabase, lines: string): Promise<void> {
  return into.import(
    ...lines
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
  );
}

test.each<[string, () => Iterable<object>]>([
  ["a mixed world", mixedWorld],
  [
    "more of a kind than are read at once",
    () => Array.from({ length: 4_001 }, (_, index) => organization(`o${index}`)),
  ],
  ["nothing at all", () => []],
])(`${again}: %s`, async (_what, world) => {
  await database.import(...world());
  const first = await exported(database);
  await loadLines(empty, first);
  expect(await fingerprint(empty)).toMatchObject({
    ...(await fingerprint(database)),
    events: expect.toSatisfy(() => true),
  });
  expect(await exported(empty)).toBe(first);
});

test(`${again}: odd texts and dates, by the commands`, async () => {
  await importedByCommand(
    database,
    nastyWorld()
      .map((change) => `${JSON.stringify(change)}\n`)
      .join(""),
  );
  const first = await exportedByCommand(database);
  await importedByCommand(empty, first);
  expect(await stored(empty)).toEqual(await stored(database));
  expect(await exportedByCommand(empty)).toBe(first);
});

test("what is exported does not depend on how it came to be", async () => {
  await database.import(...smallWorld);
  const first = await exported(database);
  await empty.import(...smallWorld.toReversed(), organization("umbrella"), user("eve", "umbrella"));
  await empty.import(remove({ organizationId: "umbrella" }));
  expect(await exported(empty)).toBe(first);
});

test("importing an export over what it came from changes nothing", async () => {
  await database.import(...nastyWorld());
  const before = await fingerprint(database);
  await loadLines(database, await exported(database));
  expect(await fingerprint(database)).toEqual(before);
});

test("an export is of one moment, whatever others change between any two of its reads", async () => {
  await database.import(...smallWorld);
  const before = await exported(database);
  let round = 0;
  const during = await exported(database, async () => {
    round += 1;
    const place = { userId: "cid", projectId: "depot", organizationId: "acme", roleKeys: ["keeper"] };
    const here = { authorization: { id: "b1", ...place } };
    const there = round % 2 ? here : remove({ authorizationId: "b1" });
    const name = String(round);
    await database.import(organization("acme", name), user("zoe", "acme", name), project("shop", "acme", name), there);
  });
  expect(round).toBe(7);
  expect(during).toBe(before);
  expect(await exported(database)).not.toBe(before);
});
