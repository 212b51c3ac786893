import { translated } from "./language/translated.ts";

/** What each permission allows, in the order of docs/reference/permissions.md. */
export const permissionWords: Readonly<Record<string, string>> = translated("permissionWords", {
  "user.grant.read": "See assignments",
  "user.grant.write": "Give assignments, and change their roles and state",
  "user.grant.delete": "Delete assignments",
  "org.write": "Add, rename, and remove organizations",
  "user.write": "Add, change, move, and remove people",
  "project.write": "Add, rename, and remove projects",
  "project.role.write": "Add, change, and remove the roles of projects",
  "project.grant.write": "Grant projects to other organizations",
  "administrator.write": "Give and remove administrator roles",
  "directory.write": "Change everything, including administrators of everything",
});

/** What a permission allows to those who hold it only in one thing, or through a role that gives it with limits. */
export const limitedPermissionWords: Readonly<Record<string, string>> = translated("limitedPermissionWords", {
  "org.write": "Rename and remove organizations",
  "user.write": "Add and change people",
  "project.write": "Rename and remove projects",
});
