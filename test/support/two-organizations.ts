import { organization, project, projectGrant } from "./changes.ts";
import { role, user } from "./world.ts";

/** Two organizations, each with a user and a project, and a grant from each to the other. */
export const twoOrganizations: readonly object[] = [
  ...["mine", "theirs"].map((id) => organization(id)),
  user("member", "mine"),
  user("stranger", "theirs"),
  project("shop", "mine"),
  project("yard", "theirs"),
  role("shop", "seller"),
  role("yard", "guard"),
  projectGrant("out", "shop", "theirs", "seller"),
  projectGrant("in", "yard", "mine", "guard"),
];
