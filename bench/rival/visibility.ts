import type { Caller, Entry } from "./caller.ts";

export type Right = "read" | "write";

const readers = new Set([
  "IAM_OWNER_VIEWER",
  "ORG_OWNER_VIEWER",
  "PROJECT_OWNER_VIEWER",
  "PROJECT_OWNER_VIEWER_GLOBAL",
]);
readers.add("PROJECT_GRANT_OWNER_VIEWER");
const writers = new Set(["IAM_OWNER", "IAM_ORG_MANAGER", "IAM_USER_MANAGER", "IAM_LOGIN_CLIENT", "ORG_OWNER"]);
for (const role of ["ORG_USER_MANAGER", "ORG_USER_PERMISSION_EDITOR", "ORG_PROJECT_PERMISSION_EDITOR"])
  writers.add(role);
for (const role of ["PROJECT_OWNER", "PROJECT_OWNER_GLOBAL", "PROJECT_GRANT_OWNER"]) writers.add(role);

function gives({ roles }: Entry, right: Right): boolean {
  return roles.some((role) => writers.has(role) || (right === "read" && readers.has(role)));
}

/**
 * Which authorizations `a` a caller has a right on: only the conditions that apply to it, so that plans are good.
 *
 * @param given how many parameters the statement has before these
 */
export function visibility(
  { userId, entries }: Caller,
  right: Right,
  given = 0,
): { condition: string; values: unknown[] } {
  const giving = entries.filter((entry) => gives(entry, right));
  const ways: string[] = [];
  const values: unknown[] = [];
  const add = (value: unknown, way: (parameter: string) => string) => {
    values.push(value);
    ways.push(way(`$${given + values.length}`));
  };
  const organizations = giving.flatMap((entry) => entry.organization_id ?? []);
  const projects = giving.flatMap((entry) => entry.project_id ?? []);
  const grants = giving.flatMap((entry) => entry.project_grant_id ?? []);
  if (giving.length > organizations.length + projects.length + grants.length) return { condition: "true", values: [] };
  if (right === "read") add(userId, (p) => `a.user_id = ${p}`);
  if (organizations.length > 0) add(organizations, (p) => `a.organization_id = any(${p})`);
  if (projects.length > 0) add(projects, (p) => `(a.project_id = any(${p}) and a.project_grant_id is null)`);
  if (grants.length > 0) add(grants, (p) => `a.project_grant_id = any(${p})`);
  return { condition: ways.length > 0 ? `(${ways.join(" or ")})` : "false", values };
}
