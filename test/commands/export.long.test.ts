import { beforeEach, describe, expect, test } from "vitest";
import { writeChange } from "../../src/import-format/changes.ts";
import { exportAll } from "../../src/postgres/directory/export/export.ts";
import { resourceKinds } from "../../src/postgres/directory/stage/resources.ts";
import { entry, organization, project, projectGrant, remove } from "../support/changes.ts";
import { linesOf, objectsIn, runCommand } from "../support/command.ts";
import { databaseInTest, type TestDatabase } from "../support/database.ts";
import { fingerprint } from "../support/fingerprint.ts";
import { mixedWorld } from "../support/mixed-world.ts";
import { stored } from "../support/stored.ts";
import { authorization, role, smallWorld, user } from "../support/world.ts";

let database: TestDatabase;
let empty: TestDatabase;

beforeEach(async () => {
  database = await databaseInTest();
  empty = await databaseInTest();
});

/** What the command writes, without a process for it. */
async function exported(from: TestDatabase, meanwhile = async () => {}, only?: "directory"): Promise<string> {
  const lines: string[] = [];
  const kinds = resourceKinds.filter((kind) => only === undefined || kind !== "authorization");
  await exportAll(
    { connectionString: from.url },
    async (changes) => {
      lines.push(...changes.map(writeChange));
      await meanwhile();
    },
    new Set(kinds),
  );
  return linesOf(...lines);
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
    '{"projectRole":{"projectId":"shop","key":"owner","displayName":"Owner","group":"","description":""}}',
    '{"administrator":{"userId":"root","roles":["IAM_OWNER"],"instance":true}}',
    '{"authorization":{"id":"a3","userId":"adam","projectId":"depot","organizationId":"acme","roleKeys":[],"state":"STATE_ACTIVE","creationDate":"2024-01-03T00:00:00.000001Z","changeDate":"2024-01-03T00:00:00.000001Z","removeExpiration":false,"expired":false}}',
  ]) {
    // The order of fields within a thing is nobody's business.
    expect(lines.map((each) => JSON.parse(each))).toContainEqual(JSON.parse(line));
  }
});

const again = "export, import into an empty database and export again is identical, byte for byte";

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
  await empty.import(...objectsIn(first));
  expect(await fingerprint(empty)).toMatchObject({
    ...(await fingerprint(database)),
    events: expect.toSatisfy(() => true),
  });
  expect(await exported(empty)).toBe(first);
});

test(`${again}: odd texts and dates, by the commands`, async () => {
  await importedByCommand(database, linesOf(...nastyWorld()));
  const first = await exportedByCommand(database);
  await importedByCommand(empty, first);
  expect(await stored(empty)).toEqual(await stored(database));
  expect(await exportedByCommand(empty)).toBe(first);
});

test("importing an export over what it came from changes nothing", async () => {
  await database.import(...nastyWorld());
  const before = await fingerprint(database);
  await database.import(...objectsIn(await exported(database)));
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

describe("Exports can be compared line by line:", () => {
  test("how things came about makes no difference", async () => {
    const entries = (...roles: string[]) => entry("ann", { organizationId: "acme" }, ...roles);
    await database.import(...smallWorld, entries("ORG_OWNER", "ORG_USER_MANAGER"));
    // The same things, in another order and after other changes, with their keys and roles the other way round.
    await empty.import(...smallWorld.toReversed(), entries("ORG_OWNER_VIEWER"), project("passing", "acme"));
    await empty.import(
      remove({ projectId: "passing" }),
      remove({ projectGrantId: "shop-to-globex" }),
      remove({ userId: "root" }),
      remove({ authorizationId: "a1" }),
    );
    await empty.import(...smallWorld.map(turned).toReversed(), entries("ORG_USER_MANAGER", "ORG_OWNER"));
    const text = await exported(database, async () => {}, "directory");
    expect(text).toContain('["ORG_OWNER","ORG_USER_MANAGER"]');
    expect(await exported(empty, async () => {}, "directory")).toBe(text);
  });

  test.each<[what: string, change: object]>([
    ["an organization", organization("acme", "Another name")],
    ["a user", user("ann", "globex")],
    ["a project", project("shop", "acme", "Another name")],
    ["a role", role("shop", "seller", "Another name")],
    ["a grant", projectGrant("shop-to-globex", "shop", "globex", "auditor")],
    ["an entry", entry("root", { instance: true }, "IAM_OWNER", "IAM_OWNER_VIEWER")],
    ["a new thing", project("between", "globex")],
    ["a removed thing", remove({ administrator: { userId: "root", instance: true } })],
  ])("changing one thing changes one line: %s", async (_what, change) => {
    await database.import(...smallWorld);
    const lines = async () => (await exported(database, async () => {}, "directory")).split("\n");
    const before = await lines();
    await database.import(change);
    const after = await lines();
    const gone = before.filter((line) => !after.includes(line));
    const come = after.filter((line) => !before.includes(line));
    expect([gone.length <= 1, come.length <= 1, gone.length + come.length > 0]).toEqual([true, true, true]);
    expect(before.filter((line) => after.includes(line))).toEqual(after.filter((line) => before.includes(line)));
    if (gone.length === come.length) expect(after.indexOf(come[0] ?? "")).toBe(before.indexOf(gone[0] ?? ""));
  });

  test("--only leaves out the other kinds, and refuses what is none", async () => {
    await database.import(...smallWorld);
    const only = (kinds: string) => runCommand(["export", "--only", kinds], { env: { DATABASE_URL: database.url } });
    const all = (await exportedByCommand(database)).trim().split("\n");
    const of = (...kinds: string[]) => all.filter((line) => kinds.includes(Object.keys(JSON.parse(line))[0] ?? ""));
    const [directory, some, wrong] = await Promise.all([
      only("directory"),
      only("projectGrant,projectRole"),
      only("role"),
    ]);
    expect(directory.stdout.trim().split("\n")).toEqual(all.filter((line) => !line.startsWith('{"authorization"')));
    expect(some.stdout.trim().split("\n")).toEqual(of("projectRole", "projectGrant"));
    expect(wrong).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("got role") });
  });
});

/** A thing with its lists the other way round. */
function turned(change: object): object {
  return JSON.parse(JSON.stringify(change), (_key, value) => (Array.isArray(value) ? value.toReversed() : value));
}
