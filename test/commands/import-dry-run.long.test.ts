import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { entry, organization, project, projectGrant, remove, removeRole } from "../support/changes.ts";
import { linesOf, runCommand } from "../support/command.ts";
import { smallWorldOfTests } from "../support/database.ts";
import { directoryEvents } from "../support/directory-history.ts";
import { folderOfTests } from "../support/folders.ts";
import { hold } from "../support/locks.ts";
import { stored } from "../support/stored.ts";
import { role, user } from "../support/world.ts";

// docs/reference/command-line.md, "import".

const folder = await folderOfTests("import-dry-run");
const database = await smallWorldOfTests();
const env = { DATABASE_URL: database.url };

async function dryRun(...changes: object[]) {
  const file = path.join(folder, "changes.ndjson");
  writeFileSync(file, linesOf(...changes));
  return runCommand(["import", "--dry-run", file], { env });
}

const changes = [
  remove({ organizationId: "globex" }),
  removeRole("shop", "auditor"),
  remove({ authorizationId: "a3" }),
  organization("umbrella", "Umbrella"),
  organization("acme", "Acme"),
  user("cid", "umbrella", "Cid"),
  role("depot", "keeper"),
  projectGrant("shop-to-umbrella", "shop", "umbrella", "seller"),
  entry("cid", { projectGrantId: "shop-to-umbrella" }, "PROJECT_GRANT_OWNER"),
  { authorization: { id: "a1", userId: "ann", projectId: "shop", organizationId: "acme", roleKeys: ["owner"] } },
  { authorization: { id: "new", userId: "cid", projectId: "shop", organizationId: "umbrella", roleKeys: [] } },
];

const difference = `\
- organization {"id":"globex","name":"Globex"}
+ organization {"id":"umbrella","name":"Umbrella"}
- user {"id":"bea","organizationId":"globex","preferredLoginName":"bea@globex.example","displayName":"bea of globex"} (follows)
- user {"id":"bob","organizationId":"globex","preferredLoginName":"bob@globex.example","displayName":"bob of globex"} (follows)
~ user {"id":"cid"} organizationId: "initech" -> "umbrella", preferredLoginName: "cid@initech.example" -> "cid@umbrella.example", displayName: "cid of initech" -> "Cid"
~ projectRole {"projectId":"depot","key":"keeper"} displayName: "Keeper" -> none, group: "staff" -> none
- projectRole {"projectId":"shop","key":"auditor","displayName":"Auditor","group":"control"}
- projectGrant {"id":"shop-to-globex","projectId":"shop","organizationId":"globex","roleKeys":["auditor","seller"]} (follows)
+ projectGrant {"id":"shop-to-umbrella","projectId":"shop","organizationId":"umbrella","roleKeys":["seller"]}
+ administrator {"userId":"cid","projectGrantId":"shop-to-umbrella","roles":["PROJECT_GRANT_OWNER"]}
~ authorization {"id":"a1"} roleKeys: ["owner","seller"] -> ["owner"]
- authorization {"id":"a3","userId":"adam","projectId":"depot","organizationId":"acme","state":"STATE_ACTIVE","creationDate":"2024-01-03T00:00:00.000001Z","changeDate":"2024-01-03T00:00:00.000001Z"}
+ authorization {"id":"new","userId":"cid","projectId":"shop","organizationId":"umbrella","state":"STATE_ACTIVE"}
~ 1 assignment in project "shop" of organization "acme" (follows)
- 2 assignments in project "shop" of organization "globex" (follows)
- 1 assignment in project "shop" of organization "initech" (follows)
11 changes read: 4 would be added, 3 changed, 6 removed; 4 assignments would follow.
`;

test("prints what would change, the same each time and in any order of the lines, and changes nothing", async () => {
  const before = [await stored(database), await directoryEvents(database)];
  // It waits for no lock.
  const held = await hold(
    database,
    "select pg_advisory_xact_lock(7206381402113); lock table projects in exclusive mode",
  );
  const { code, stdout, stderr } = await dryRun(...changes);
  await held.rollback();
  expect({ code, stdout }).toEqual({ code: 0, stdout: difference });
  expect(stderr).toBe("11 lines read, comparing them\n");
  expect((await dryRun(...changes.toReversed())).stdout).toBe(difference);
  expect([await stored(database), await directoryEvents(database)]).toEqual(before);
});

test("prints only a summary if nothing would change", async () => {
  const { code, stdout } = await dryRun(organization("acme", "Acme"), remove({ userId: "no one" }));
  expect({ code, stdout }).toEqual({ code: 0, stdout: "2 changes read: 0 would be added, 0 changed, 0 removed.\n" });
});

test("exits with 1 if the file would be refused", async () => {
  const { code, stdout, stderr } = await dryRun(organization("x"), project("p", "nowhere"));
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("line 2:");
  expect(stderr).toContain("REFERENCE_NOT_FOUND");
});

test("says how many more differences there are than it prints", async () => {
  const users = Array.from({ length: 10_500 }, (_, n) => user(`many-${n}`, "acme"));
  const assignments = users.slice(0, 1_500).map((_, n) => ({
    authorization: { id: `many-${n}`, userId: `many-${n}`, projectId: "shop", organizationId: "acme", roleKeys: [] },
  }));
  const { code, stdout } = await dryRun(...users, ...assignments);
  const lines = stdout.trimEnd().split("\n");
  expect(code).toBe(0);
  expect(lines).toHaveLength(1_002);
  expect(lines.slice(-2)).toEqual([
    "… and 11000 more differences",
    "12000 changes read: 12000 would be added, 0 changed, 0 removed.",
  ]);
});
