import { counted } from "./counted.ts";
import { locale } from "./language/language.ts";
import { translated } from "./language/translated.ts";

const assignments = ["assignment", "assignments"] as const;
const organizations = ["organization", "organizations"] as const;

export const changeWords = translated("changeWords", {
  running: "Saving…",
  uncertain: "The server did not answer, so the change may have been made. It is safe to try again.",
  changedMeanwhile: "Someone else has changed this in the meantime. Nothing was overwritten.",
  lookAgain: "This is what it is now, and what it would become. If you still want that, confirm again.",
  noUndo: "This can't be undone.",
  save: "Save",
  add: "Add",
  edit: "Edit",
  rename: "Rename",
  remove: "Remove",
  id: "Id",
} as const);

export const consequenceWords = translated("consequenceWords", {
  counting: "Counting the assignments that follow…",
  tokensMayStay: "Tokens that were created for people of other organizations may stay valid.",
  /** To readers who may not see all of them. */
  ofSeen: {
    changed: (count: number, places: number) =>
      `Removes roles from ${counted(count, assignments)} you can see in ${counted(places, organizations)}, and from any you cannot see.`,
    removed: (count: number, places: number) =>
      `Deletes ${counted(count, assignments)} you can see in ${counted(places, organizations)}, and any you cannot see.`,
    none: "Changes no assignment that you can see. There may be others.",
  },
  /** To readers who see every assignment. */
  ofAll: {
    changed: (count: number, places: number) =>
      `Removes roles from ${counted(count, assignments)} in ${counted(places, organizations)}.`,
    removed: (count: number, places: number) =>
      `Deletes ${counted(count, assignments)} in ${counted(places, organizations)}.`,
    none: "Changes no assignment.",
  },
} as const);

export const personChangeWords = translated("personChangeWords", {
  add: "Add person",
  addTitle: "Add a person",
  editTitle: (name: string) => `Edit ${name}`,
  moveAdvice:
    "The person keeps all assignments and administrator roles. The people of the new organization who manage its people manage this person from now on.",
  displayName: "Name",
  loginName: "Login name",
  sameLoginName: "Someone else has this login name, too. People with the same one are easily confused:",
  similarLoginName: "Someone else has a login name that looks like this one. The two are easily confused:",
  picture: "Address of a picture (optional)",
  organization: "Organization",
  advanced: "Advanced",
  id: "Id",
  idHint:
    "Where people sign in with an OpenID Connect issuer, this is the issuer's subject. It can't be changed later.",
  added: (name: string) => `${name} is added.`,
  changed: (name: string) => `${name} is changed.`,
} as const);

export const roleChangeWords = translated("roleChangeWords", {
  add: "Add roles",
  addTitle: "Add roles",
  editTitle: (name: string) => `Edit the role ${name}`,
  removeOf: (name: string) => `Remove the role ${name}`,
  removeTitle: (name: string) => `Remove the role ${name}?`,
  removeAdvice: "The role is removed from every assignment and every grant of this project. The assignments stay.",
  key: "Key, or several with commas",
  keyHint: "What programs check, such as auditor. Keys can't be changed later.",
  keysMade: (keys: readonly string[]) =>
    `Programs will check ${keys.length === 1 ? "the key" : "the keys"} ${new Intl.ListFormat(locale).format(keys)}, which no one can change later.`,
  keyTaken: "The project has a role with this key already.",
  severalHint: "Each key becomes a role. You can name the roles once they are added.",
  name: "Name (optional)",
  group: "Group (optional)",
  description: "What it allows (optional)",
  added: (name: string) => `The role ${name} is added.`,
  severalAdded: (count: number) => `${counted(count, ["role is", "roles are"])} added.`,
  changed: (name: string) => `The role ${name} is changed.`,
  removed: (name: string) => `The role ${name} is removed.`,
} as const);

export const grantChangeWords = translated("grantChangeWords", {
  add: "Grant to an organization",
  submit: "Grant",
  noRoles: "Pick at least one role.",
  addTitle: (project: string) => `Grant ${project} to an organization`,
  editTitle: (organization: string) => `Edit the grant to ${organization}`,
  removeOf: (organization: string) => `Remove the grant to ${organization}`,
  removeTitle: (organization: string) => `Remove the grant to ${organization}?`,
  removeAdvice:
    "This deletes the organization's assignments for this project, and removes the administrators of the grant.",
  organization: "Organization",
  roles: "Roles that the organization may assign",
  lost: "Roles that are removed from the grant are removed from its assignments, too.",
  added: (organization: string) => `The project is granted to ${organization}.`,
  changed: (organization: string) => `The grant to ${organization} is changed.`,
  removed: (organization: string) => `The grant to ${organization} is removed.`,
} as const);

export const entryChangeWords = translated("entryChangeWords", {
  give: "Add administrator",
  giveTo: "Add administrator role",
  giveToTitle: (person: string) => `Add an administrator role for ${person}`,
  giveTitle: (scope: string) => `Add an administrator of ${scope}`,
  editTitle: (person: string, scope: string) => `What ${person} administers of ${scope}`,
  editOf: (person: string, scope: string) => `Edit the administrator roles of ${person} of ${scope}`,
  removeOf: (person: string, scope: string) => `Remove the administrator roles of ${person} of ${scope}`,
  removeTitle: (person: string, scope: string) => `Remove ${person} from the administrators of ${scope}?`,
  removeAdvice: "The person loses these rights immediately.",
  person: "Person",
  roles: "Roles",
  asNow: (roles: readonly string[]) =>
    `As now: ${new Intl.ListFormat(locale).format(roles)}. Choose others to change that.`,
  existing: "This person is already an administrator there. You are changing these roles.",
  given: (person: string, scope: string) => `${person} is an administrator of ${scope}.`,
  removed: (person: string, scope: string) => `${person} is no longer an administrator of ${scope}.`,
  everything: "everything",
  grant: (project: string, organization: string) => `${project} as granted to ${organization}`,
  level: "Where",
  levels: {
    organization: "an organization",
    project: "a project",
    projectGrant: "a grant",
    instance: "everything",
  },
  organization: "Organization",
  project: "Project",
  notGranted: "The project is not granted to this organization.",
  notYours: "This person has roles there that you can't give, so you can't change them.",
  notThere: "You can't give administrator roles there.",
} as const);

export const namedChangeWords = translated("namedChangeWords", {
  addOrganization: "Add organization",
  addOrganizationTitle: "Add an organization",
  addProject: "Add project",
  addProjectTitle: "Add a project",
  owner: "Organization that owns it",
  keys: "Roles: keys, with commas between them",
  keysHint: "Optional, as everything below: it can be added later, too.",
  grantee: "Grant all of these roles to the organization",
  granteeOwns: "It owns the project, so it needs no grant.",
  granteeNeeds: "A grant needs a role.",
  person: "Person who becomes the owner (optional)",
  renameTitle: (name: string) => `Rename ${name}`,
  removeTitle: (name: string) => `Remove ${name}?`,
  removeProjectAdvice: "Its assignments are deleted, and its roles, grants and administrators are removed, too.",
  removeOrganizationAdvice:
    "Its assignments are deleted, and its people, its projects with everything in them, the grants to it and its administrators are removed, too.",
  name: "Name",
  added: (name: string) => `${name} is added.`,
  renamed: (name: string) => `It is called ${name} now.`,
  removed: (name: string) => `${name} is removed.`,
} as const);
