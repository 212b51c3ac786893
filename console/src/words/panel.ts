import { translated } from "./language/translated.ts";

/** The words of the panel about one assignment. */
export const panelWords = translated("panelWords", {
  title: "Assignment",
  notFound: "Not found",
  close: "Close",
  closeHint: "Close (Escape)",
  place: (project: string, organization: string) => `${project} in ${organization}`,
  gone: "This assignment was deleted, or you can't see it",
  goneAdvice: "Someone deleted it, or you have no rights where it is.",
  wasOf: (user: string, project: string, organization: string) =>
    `It was of ${user}, for ${project} in ${organization}.`,
  itsId: "Its id is",
  whatBecame: "What happened to it",
  history: "History",
  loading: "Loading…",
  nothing: "Nothing to show.",
  details: "Details",
  facts: {
    loginName: "Login name",
    belongsTo: "Person belongs to",
    organization: "Organization",
    project: "Project",
    state: "State",
    ends: "Ends",
    ended: "Ended",
    created: "Created",
    changed: "Changed",
  },
  owned: "owned by this organization",
  grantedBy: (owner: string) => `granted to it by ${owner}`,
  notInForce: ": the roles are kept, but not in force",
  ids: "Ids",
  idNames: { assignment: "Assignment", user: "Person", project: "Project", organization: "Organization" },
  idOf: (what: string) => `the id of the ${what.toLowerCase()}`,
  person: "Everything about this person",
  roles: "Roles",
  noRoles: "No roles are assigned.",
  noGroup: "No group",
  copy: "Copy",
  copied: "Copied",
  copyOf: (what: string) => `Copy ${what}`,
  copiedOf: (what: string) => `Copied ${what}`,
} as const);

/** Why someone sees an assignment, and what they may do with it. */
export const accessWords = translated("accessWords", {
  title: "Why can I see it",
  ofAnother: "What may this person do with it",
  missing: "What is missing",
  oneOf: "Any one of these would do:",
  you: "You",
  may: (who: string, deed: string) => `${who} can ${deed}`,
  mayNot: (who: string, deed: string) => `${who} can't ${deed}`,
  /** What each permission allows someone who has it. */
  deeds: {
    "user.grant.read": "see it",
    "user.grant.write": "change its roles and its state",
    "user.grant.delete": "delete it",
  } as Record<string, string>,
  own: { you: "It is your own assignment.", they: "It is their own assignment." },
  holds: {
    you: (what: string) => `You hold ${what}.`,
    they: (what: string) => `They hold ${what}.`,
  },
  holdsMore: {
    you: "You hold more, in places that are not shown to you.",
    they: "They hold more, in places that are not shown to you.",
  },
  source: (roles: string, scope: string) => `${roles} ${scope}`,
  scopes: {
    everything: "for everything",
    organization: (name: string) => `in the organization ${name}`,
    project: (name: string) => `for the project ${name}, in the organization that owns it`,
    grant: (project: string, organization: string) => `for the project ${project}, as it is granted to ${organization}`,
    unnamedGrant: (id: string) => `for the project grant ${id}`,
    unknown: "somewhere that this page doesn't know",
  },
} as const);
