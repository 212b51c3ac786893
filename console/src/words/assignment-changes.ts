import { locale } from "./language/language.ts";
import { translated } from "./language/translated.ts";

// The words for changes of assignments, one by one and many at once.

const count = new Intl.NumberFormat(locale);

/** `1 assignment`, `2,000 assignments`. */
function assignments(many: number): string {
  return `${count.format(many)} ${many === 1 ? "assignment" : "assignments"}`;
}

export const assignmentChangeWords = translated("assignmentChangeWords", {
  cancel: "Cancel",
  close: "Close",
  dialogBody: "What the dialog is about",
  assignments,
  place: (project: string, organization: string) => `${project} in ${organization}`,
  assignmentOf: (user: string, place: string) => `${user}’s assignment for ${place}`,
  edit: "Edit roles",
  why: (title: string, advice: string) => `${title}. ${advice}`,
} as const);

export const rolesWords = translated("rolesWords", {
  title: (user: string) => `Roles of ${user}`,
  legend: "Roles",
  asking: "Looking up the roles that can be assigned here…",
  same: "Nothing is changed yet.",
  saving: (difference: string) => `Saving ${difference}.`,
  save: "Save",
  adds: "adds",
  removes: "removes",
  none: "There are no roles here.",
  notFound: "No role has this name or key.",
  all: "All roles",
  find: "Find a role",
  found: (found: number, all: number) => `${found} of ${all}`,
  noGroup: "No group",
  onlyFirst: (many: number) => `The first ${count.format(many)} are shown. Search for the others.`,
  noLongerOffered: "cannot be assigned any more",
  unlisted: (many: number) => `${count.format(many)} more roles can't be listed here. Assign them with the API.`,
} as const);

export const batchWords = translated("batchWords", {
  labels: {
    activate: "Activate",
    deactivate: "Deactivate",
    delete: "Delete",
    "add-roles": "Add roles",
    "remove-roles": "Remove roles",
    "set-end": "Set the end",
    give: "Assign roles",
  },
  titled: (what: string, why: string) => `${what}: ${why}`,
  /** On buttons and in titles. They and what is done are of some assignments, or of one by its name. */
  actions: {
    activate: (what: string) => `Activate ${what}`,
    deactivate: (what: string) => `Deactivate ${what}`,
    delete: (what: string) => `Delete ${what}`,
    "add-roles": (what: string) => `Add roles to ${what}`,
    "remove-roles": (what: string) => `Remove roles from ${what}`,
    "set-end": (what: string) => `Set the end of ${what}`,
    give: (what: string) => `Save ${what}`,
  },
  done: {
    activate: (what: string) => `${what} activated`,
    deactivate: (what: string) => `${what} deactivated`,
    delete: (what: string) => `${what} deleted`,
    "add-roles": (what: string) => `Roles added to ${what}`,
    "remove-roles": (what: string) => `Roles removed from ${what}`,
    "set-end": (what: string) => `End of ${what} set`,
    give: (what: string) => `${what} saved`,
  },
  region: "Selection",
  selected: (many: number) => `${count.format(many)} selected`,
  onlyLook: "You can view these, but not change them.",
  clear: "Clear",
  selecting: "Selecting…",
  selectFirst: (most: number) => `Select the first ${count.format(most)} that match`,
  selectAll: (most: number) => `Select all ${count.format(most)} that match`,
  notAllSelected: (why: string) => `Not everything could be selected. ${why}`,
  loses: "The people lose these roles immediately.",
  asking: "Looking up the roles that can be assigned there…",
  pick: "Pick roles.",
  newWith: (difference: string) => (difference === "" ? "new, without roles" : `new: ${difference}`),
  nothing: "There is nothing to do here.",
  willBeChanged: (many: number) => `${assignments(many)} will be changed.`,
  repeat: (most: number) => `At most ${assignments(most)} are changed at once. Repeat this for the others.`,
  willBeLeftOut: (many: number) => `${assignments(many)} will be left out.`,
  leftOut: "Left out",
  changed: "Will be changed",
  mayNot: { delete: "You can't delete it", change: "You can't change it" },
  isSo: {
    activate: "Already active",
    deactivate: "Already inactive",
    "add-roles": "Already has these roles",
    "remove-roles": "Doesn't have these roles",
    "set-end": "Already has this end",
    give: "Nothing to change",
  },
  notOffered: (place: string, roles: string) => `Not offered for ${place}: ${roles}`,
  offeredFor: "offered for",
  heldIn: "held in",
  all: (verb: string) => `${verb} all`,
  some: (verb: string, some: number, all: number) => `${verb} ${count.format(some)} of ${count.format(all)}`,
  progress: (done: number, all: number) => `${count.format(done)} of ${count.format(all)}`,
  stop: "Stop",
  stopping: "Stopping…",
  staysDone: "If you stop, finished changes stay.",
  again: (many: number) => `Review ${assignments(many)}`,
  uncertain:
    "The server did not answer. It is unknown whether the marked assignments were changed. Nothing was sent again.",
  look: "Check what they are now",
  looking: "Looking…",
  theirs: { gone: "The assignment is gone", faster: "Someone else changed it first" },
  results: "Results",
  outcomes: { failed: "failed", uncertain: "uncertain", unsent: "not done" },
  counted: (many: number, outcome: string) => `${count.format(many)} ${outcome}`,
  each: { done: "Done", unsent: "Not done", uncertain: "Unknown: the server did not answer" },
  failed: (title: string, advice: string) => `Failed. ${title}. ${advice}`,
  changedTo: (title: string, now: string) => `${title}. It is now ${now}`,
  active: (roles: string) => `active: ${roles}.`,
  inactive: (roles: string) => `inactive: ${roles}.`,
  noRoles: "no roles",
} as const);
