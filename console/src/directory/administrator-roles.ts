/** The permissions of each administrator role, as in docs/reference/permissions.md. A test compares both. */
export const permissionsOfRole: Readonly<Record<string, readonly string[]>> = table();

/** Where roles apply. */
export type Level = "instance" | "organization" | "project" | "projectGrant";

/** The prefix of a role's name says where it applies. */
export function levelOf(role: string): Level {
  if (role.startsWith("IAM_")) return "instance";
  if (role.startsWith("ORG_")) return "organization";
  return role.startsWith("PROJECT_GRANT_") ? "projectGrant" : "project";
}

/** The roles that can be given at a level. */
export function rolesOfLevel(level: Level): string[] {
  return Object.keys(permissionsOfRole).filter((role) => levelOf(role) === level);
}

function table() {
  const read = ["user.grant.read"];
  const readWrite = [...read, "user.grant.write"];
  const all = [...readWrite, "user.grant.delete"];
  const ofProject = ["project.write", "project.role.write", "project.grant.write", "administrator.write"];
  const ofOrganization = ["org.write", "user.write", ...ofProject];
  return {
    IAM_OWNER: [...all, ...ofOrganization, "directory.write"],
    IAM_ORG_MANAGER: [...all, ...ofOrganization],
    IAM_USER_MANAGER: [...all, "user.write", "project.grant.write"],
    IAM_LOGIN_CLIENT: [...readWrite, "user.write"],
    IAM_OWNER_VIEWER: read,
    ORG_OWNER: [...all, ...ofOrganization],
    ORG_USER_MANAGER: [...all, "user.write"],
    ORG_USER_PERMISSION_EDITOR: all,
    ORG_PROJECT_PERMISSION_EDITOR: [...all, "project.grant.write"],
    ORG_OWNER_VIEWER: read,
    PROJECT_OWNER: [...all, ...ofProject],
    PROJECT_OWNER_GLOBAL: [...all, "project.write", "project.role.write", "administrator.write"],
    PROJECT_OWNER_VIEWER: read,
    PROJECT_OWNER_VIEWER_GLOBAL: read,
    PROJECT_GRANT_OWNER: [...all, "administrator.write"],
    PROJECT_GRANT_OWNER_VIEWER: read,
  };
}
