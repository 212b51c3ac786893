import type { AdministratorRole, Permission } from "../../src/authorization/permissions.ts";
import { read } from "./repository.ts";

/** docs/reference/permissions.md, the table that tests hold the service to: what each role gives, and what each change needs. */
const page = read("docs/reference/permissions.md");

type Role = AdministratorRole;

/** The field of an entry that says where it applies, by the words of the page. */
const fields = {
  instance: "instance",
  organization: "organizationId",
  project: "projectId",
  grant: "projectGrantId",
} as const;
type Field = (typeof fields)[keyof typeof fields];

const [head = [], ...rows] = tableAfter("## Administrator roles");

/** Every permission, in the order of the columns. */
export const permissionsOnPage = head.slice(1) as Permission[];

/** The permissions of each role, in the order of the rows. */
export const rolesOnPage: ReadonlyMap<Role, readonly Permission[]> = new Map(
  rows.map(([role, ...cells]) => [role as Role, permissionsOnPage.filter((_, column) => cells[column] !== "")]),
);

/** What each change of the directory needs, and the scopes through which an entry counts for it. */
export const changesOnPage = tableAfter("## Who may change the directory")
  .slice(1)
  .map(([change = "", needs = "", places = ""]) => ({
    change,
    permission: needs.replace(", not limited", "") as Permission,
    through: [...places.matchAll(/(?:^|, )the ([a-z]+?)s?(?= |,|$)/g)].map(
      ([, of]) => fields[of as keyof typeof fields],
    ),
    isWhole: needs.endsWith(", not limited"),
  }));

/** Whether the role gives the permission only with limits. */
export function isLimitedOnPage(role: string, permission: Permission): boolean {
  return rows.find(([name]) => name === role)?.[head.indexOf(permission)] === "limited";
}

/** Where a role can be held: "Roles that begin with …". */
export function fieldOnPage(role: string): Field {
  if (role.startsWith("IAM_")) return fields.instance;
  if (role.startsWith("ORG_")) return fields.organization;
  return role.startsWith("PROJECT_GRANT_") ? fields.grant : fields.project;
}

/** The cells of the first table below a heading, without the line under its head. */
function tableAfter(heading: string): string[][] {
  const [table = ""] = /^\|(?:.*\n\|)*.*/m.exec(page.slice(page.indexOf(`${heading}\n`))) ?? [];
  return table
    .split("\n")
    .filter((line) => !line.startsWith("|---"))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.replaceAll("`", "").trim()),
    );
}
