import { expect, test } from "vitest";
import { linesOf, runCommand } from "../support/command.ts";
import { smallWorldOfTests } from "../support/database.ts";

const database = await smallWorldOfTests();

const check = (...args: string[]) => runCommand(["check", ...args], { env: { DATABASE_URL: database.url } });
const allTrue = { code: 0, stdout: "", stderr: "All totals, change dates and user names are correct.\n" };

test("check says that every number, every change date and every user name is right", async () => {
  expect(await check()).toEqual(allTrue);
});

test("check names what differs and fails; with --repair it counts again", async () => {
  const set = (number: string, of: string) => database.query(`update numbers set number = ${number} where ${of}`);
  const forget = (of: string) => database.query(`delete from numbers where ${of}`);
  const invent = (values: string) =>
    database.query(
      `insert into numbers (kind, organization_id, project_id, key, slot, number)
      values (${values})`,
    );
  await set("number + 2", "kind = 'state' and project_id = 'depot'");
  await forget("kind = 'state' and organization_id = '' and key = 'inactive'");
  await invent("'state', 'acme', 'gone', 'active', 0, 7");
  await forget("kind = 'role' and organization_id = 'initech' and project_id = 'shop'");
  await set("5", "kind = 'role' and key = 'owner'");
  await database.query(
    "update authorization_change_dates set change_date = change_date + interval '1s' where id = 'a2'",
  );
  await database.query("delete from authorization_change_dates where id = 'a6'");
  await database.query("insert into authorization_change_dates values ('a7', 'acme', 'shop', now())");
  await database.query("update authorizations set user_name = 'Another' where id = 'a4'");
  const columns = ["kind", "organizationId", "projectId", "key", "kept", "counted"];
  const numbers = [
    ["state", "", "", "inactive", 0, 1],
    ["state", "acme", "depot", "active", 3, 1],
    ["state", "acme", "gone", "active", 7, 0],
    ["role", "acme", "shop", "owner", 5, 1],
    ["role", "initech", "shop", "seller", 0, 1],
  ].map((row) => Object.fromEntries(row.map((value, at) => [columns[at], value])));
  const wrong = [
    ...numbers,
    { authorizationId: "a2" },
    { authorizationId: "a6" },
    { authorizationId: "a7" },
    { authorizationId: "a4", userName: "Another" },
  ];
  const stdout = linesOf(...wrong);
  expect(await check()).toEqual({ code: 1, stdout, stderr: "9 wrong. Run check --repair to correct them.\n" });
  expect(await check("--repair")).toEqual({ code: 0, stdout, stderr: "9 wrong, all corrected.\n" });
  expect(await check()).toEqual(allTrue);
});
