import { translated } from "./language/translated.ts";

type Words = {
  /** What someone with the role is: what stands before "of Acme". */
  readonly title: string;
  /** What the role allows: what follows "Owner of Acme: ". */
  readonly allows: string;
};

/** The administrator roles, by the constants that programs call them by. People find these in tooltips. */
export const administratorRoleWords: Readonly<Record<string, Words>> = translated("administratorRoleWords", {
  IAM_OWNER: { title: "Owner", allows: "manages everything, including the administrators of everything" },
  IAM_ORG_MANAGER: {
    title: "Manager of organizations",
    allows:
      "manages all organizations, people, projects with their roles and grants, assignments and administrators, except the administrators of everything",
  },
  IAM_USER_MANAGER: { title: "Manager of people", allows: "manages all people, assignments and grants" },
  IAM_LOGIN_CLIENT: {
    title: "Sign-in program",
    allows: "adds and changes people and gives assignments everywhere, but moves and removes no one",
  },
  IAM_OWNER_VIEWER: { title: "Viewer", allows: "sees everything" },
  ORG_OWNER: {
    title: "Owner",
    allows: "manages the organization, its people, projects and their roles, grants, assignments and administrators",
  },
  ORG_USER_MANAGER: { title: "Manager of people", allows: "manages its people and assignments" },
  ORG_USER_PERMISSION_EDITOR: { title: "Manager of assignments", allows: "manages its assignments" },
  ORG_PROJECT_PERMISSION_EDITOR: {
    title: "Manager of assignments and grants",
    allows: "manages its assignments and the grants of its projects",
  },
  ORG_OWNER_VIEWER: { title: "Viewer", allows: "sees its assignments" },
  PROJECT_OWNER: {
    title: "Owner",
    allows: "manages the project, its roles, grants and administrators, and its owner's assignments",
  },
  PROJECT_OWNER_GLOBAL: {
    title: "Owner without grants",
    allows: "manages the project, its roles and administrators, and its owner's assignments, but not its grants",
  },
  PROJECT_OWNER_VIEWER: { title: "Viewer", allows: "sees its owner's assignments" },
  PROJECT_OWNER_VIEWER_GLOBAL: {
    title: "Viewer",
    allows: "sees its owner's assignments; the same as Viewer, under another name",
  },
  PROJECT_GRANT_OWNER: { title: "Owner", allows: "manages the assignments and administrators of this grant" },
  PROJECT_GRANT_OWNER_VIEWER: { title: "Viewer", allows: "sees the assignments of this grant" },
});

/** An administrator role by its title, such as "Owner". */
export function administratorRole(role: string): string {
  return administratorRoleWords[role]?.title ?? role;
}
