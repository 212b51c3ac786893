/** What each administrator role allows: what follows "ORG_OWNER of Acme: ". */
export const administratorRoleWords: Readonly<Record<string, string>> = {
  IAM_OWNER: "manages everything, including the administrators of everything",
  IAM_ORG_MANAGER:
    "manages all organizations, people, projects with their roles and grants, assignments and administrators, except the administrators of everything",
  IAM_USER_MANAGER: "manages all people, assignments and grants",
  IAM_LOGIN_CLIENT: "adds and changes people and gives assignments everywhere, but moves and removes no one",
  IAM_OWNER_VIEWER: "sees everything",
  ORG_OWNER: "manages the organization, its people, projects and their roles, grants, assignments and administrators",
  ORG_USER_MANAGER: "manages its people and assignments",
  ORG_USER_PERMISSION_EDITOR: "manages its assignments",
  ORG_PROJECT_PERMISSION_EDITOR: "manages its assignments and the grants of its projects",
  ORG_OWNER_VIEWER: "sees its assignments",
  PROJECT_OWNER: "manages the project, its roles, grants and administrators, and its owner's assignments",
  PROJECT_OWNER_GLOBAL:
    "manages the project, its roles and administrators, and its owner's assignments, but not its grants",
  PROJECT_OWNER_VIEWER: "sees its owner's assignments",
  PROJECT_OWNER_VIEWER_GLOBAL:
    "sees its owner's assignments; the same rights as PROJECT_OWNER_VIEWER, under another name",
  PROJECT_GRANT_OWNER: "manages the assignments and administrators of this grant",
  PROJECT_GRANT_OWNER_VIEWER: "sees the assignments of this grant",
};
