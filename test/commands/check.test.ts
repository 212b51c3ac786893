import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../support/command.ts";
import { createSmallWorld, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createSmallWorld();
});
afterAll(() => database.drop());

const check = (...args: string[]) => runCommand(["check", ...args], { env: { DATABASE_URL: database.url } });
const allTrue = {
  code: 0,
  stdout: "",
  stderr: "Every total, every number for overviews and every change date is right.\n",
};

test("check says that every total and every change date is right", async () => {
  expect(await check()).toEqual(allTrue);
});

test("check names what differs and fails; with --repair it makes it anew", async () => {
  await database.query("update authorization_counts set count = count + 2 where project_id = 'depot'");
  await database.query("delete from authorization_counts where organization_id = '' and state = 'inactive'");
  await database.query("insert into authorization_counts values ('gone', 'acme', 'active', 0, 7)");
  await database.query("update authorization_totals set count = count - 1 where project_id = 'depot'");
  await database.query("delete from authorization_days where organization_id = 'initech' and project_id = 'shop'");
  await database.query("insert into authorization_days values ('acme', '', '2025-01-01', 0, 2)");
  await database.query("update authorization_role_counts set count = 5 where role_key = 'owner' or project_id = ''");
  await database.query(
    "update authorization_change_dates set change_date = change_date + interval '1s' where id = 'a2'",
  );
  await database.query("delete from authorization_change_dates where id = 'a6'");
  await database.query("update event_counts set count = count + 1 where project_grant_id = 'shop-to-initech'");
  await database.query("delete from event_counts where organization_id = 'globex' and project_id = ''");
  await database.query("insert into event_counts values ('', '', '', 'user.grant.removed', 3, 9)");
  const wrong = [
    { projectId: "", organizationId: "", state: "inactive", kept: 0, counted: 1 },
    { projectId: "depot", organizationId: "acme", state: "active", kept: 3, counted: 1 },
    { projectId: "gone", organizationId: "acme", state: "active", kept: 7, counted: 0 },
    { organizationId: "", projectId: "depot", kept: 0, counted: 1 },
    { organizationId: "acme", projectId: "depot", kept: 0, counted: 1 },
    { organizationId: "acme", projectId: "", day: "2025-01-01", kept: 2, counted: 0 },
    { organizationId: "initech", projectId: "shop", day: "2024-01-06", kept: 0, counted: 1 },
    { organizationId: "", projectId: "", roleKey: "", kept: 5, counted: 7 },
    { organizationId: "acme", projectId: "", roleKey: "", kept: 5, counted: 3 },
    { organizationId: "acme", projectId: "shop", roleKey: "owner", kept: 5, counted: 1 },
    { organizationId: "globex", projectId: "", roleKey: "", kept: 5, counted: 3 },
    { organizationId: "initech", projectId: "", roleKey: "", kept: 5, counted: 1 },
    { authorizationId: "a2" },
    { authorizationId: "a6" },
    { projectId: "", organizationId: "", projectGrantId: "", type: "user.grant.removed", kept: 9, counted: 0 },
    { projectId: "", organizationId: "globex", projectGrantId: "", type: "user.grant.added", kept: 0, counted: 2 },
    {
      ...{ projectId: "shop", organizationId: "initech", projectGrantId: "shop-to-initech", type: "user.grant.added" },
      ...{ kept: 2, counted: 1 },
    },
  ];
  const stdout = wrong.map((total) => `${JSON.stringify(total)}\n`).join("");
  expect(await check()).toEqual({
    code: 1,
    stdout,
    stderr: "Wrong: 17. check --repair computes them again.\n",
  });
  expect(await check("--repair")).toEqual({
    code: 0,
    stdout,
    stderr: "Wrong: 17. All of them are computed again.\n",
  });
  expect(await check()).toEqual(allTrue);
});
