import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type AdministratorRole, permissionsOfRole } from "../../src/authorization/permissions.ts";
import { asMarkdown } from "../directory/permission-table.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/reference/permissions.md"), "utf8");

test("The page has the table of changes", () => {
  expect(page).toContain(`\n\n${asMarkdown()}\n\n`);
});

test("The page has the permissions of every role", () => {
  const rows = [...page.matchAll(/^\| (`(?:IAM|ORG|PROJECT)_.*?) \| (.*?) ?\| (.*?) ?\| (.*?) ?\| (.*?) ?\|$/gm)];
  const listed = new Map<string, string[]>();
  for (const [, names = "", read, write, remove, others = ""] of rows) {
    const before = [...listed.values()].at(-1) ?? [];
    const same = others.startsWith("the same, without")
      ? before.filter((one) => /^(?!user\.grant|directory)/.test(one))
      : [];
    const permissions = [
      ...(read === "x" ? ["user.grant.read"] : []),
      ...(write === "x" ? ["user.grant.write"] : []),
      ...(remove === "x" ? ["user.grant.delete"] : []),
      ...(same.length > 0 ? same : [...others.matchAll(/`([^`]+)`/g)].map(([, permission = ""]) => permission)),
    ];
    for (const [, name = ""] of names.matchAll(/`(\w+)`/g)) listed.set(name, permissions);
  }
  expect(Object.fromEntries(listed)).toEqual(
    Object.fromEntries(
      Object.keys(permissionsOfRole).map((name) => [name, [...permissionsOfRole[name as AdministratorRole]]]),
    ),
  );
});
