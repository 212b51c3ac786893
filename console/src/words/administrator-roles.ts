type Words = {
  /** What someone with the role is: what stands before "of Acme". */
  readonly title: string;
  /** What the role allows: what follows "Owner (ORG_OWNER) of Acme: ". */
  readonly allows: string;
};

/** The administrator roles. Programs call them by their constants, so these are always shown with them. */
export const administratorRoleWords: Readonly<Record<string, Words>> = {
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
    allows: "sees its owner's assignments; the same rights as Viewer (PROJECT_OWNER_VIEWER), under another name",
  },
  PROJECT_GRANT_OWNER: { title: "Owner", allows: "manages the assignments and administrators of this grant" },
  PROJECT_GRANT_OWNER_VIEWER: { title: "Viewer", allows: "sees the assignments of this grant" },
};

/** An administrator role by its title and its constant: "Owner (ORG_OWNER)". */
export function administratorRole(role: string): string {
  const words = administratorRoleWords[role];
  return words === undefined ? role : `${words.title} (${role})`;
}
