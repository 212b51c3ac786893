import { counted } from "./counted.ts";
import { translated } from "./language/translated.ts";

const assignments = ["assignment", "assignments"] as const;
const entries = ["administrator entry", "administrator entries"] as const;
const tokens = ["token", "tokens"] as const;

/** The words of the page that takes what a person holds. */
export const offboardWords = translated("offboardWords", {
  open: "Off-board",
  title: (name: string) => `Off-board ${name}`,
  kind: "Person",
  mode: "What happens",
  modes: {
    suspend: {
      label: "Suspend",
      advice:
        "The assignments are deactivated and the administrator roles removed, which you can undo while the console is open. The tokens are revoked, which can't be undone.",
      verb: (name: string) => `Suspend ${name}`,
      done: (name: string) => `${name} is suspended.`,
      doneForGood: (name: string) =>
        `${name} is suspended. You can't undo this here, because what was deactivated could not be read.`,
    },
    remove: {
      label: "Remove everything, and then the person",
      advice: "The assignments, the administrator roles, and the tokens go with the person. This can't be undone.",
      verb: (name: string) => `Remove ${name}`,
      done: (name: string) => `${name} is removed.`,
    },
  },
  running: "Saving…",
  goes: "What goes",
  stays: "What stays",
  none: "Nothing.",
  heads: { what: "What", where: "Where", roles: "Roles", happens: "What happens" },
  assignment: "Assignment",
  administrator: "Administrator roles",
  token: "Tokens",
  elsewhere: "Beyond what you see",
  morePlaces: (count: number) => `${counted(count, assignments)} in more places`,
  own: (count: number) => `${counted(count, tokens)} of the person`,
  forOthers: (count: number) => `${counted(count, tokens)} that the person created for others`,
  unlisted: {
    authorizations: (count: number) => counted(count, assignments),
    administrators: (count: number) => counted(count, entries),
    tokens: (count: number) => counted(count, tokens),
  },
  happens: {
    deactivated: "deactivated",
    deleted: "deleted",
    removed: "removed",
    revoked: "revoked for good",
    kept: "stays: you may not change it",
    hidden: "stays: someone with more rights has to change it",
    othersTokens: "stays, unless it was created with a token of the person",
  },
  ownerless: "These organizations lose their last owner. An instance owner can add another one:",
  uncertain: "The server did not answer, so this may have been done. It is safe to try again.",
  undone: (name: string) =>
    `Undone: ${name} has the assignments and administrator roles again. Revoked tokens stay revoked.`,
  notUndone: (why: string) => `The administrator roles could not be given back. ${why}`,
  notFound: "This person can't be off-boarded",
  notFoundAdvice: "The person was removed, or you may neither change assignments nor remove the person.",
  export: {
    file: "off-boarding",
    of: ["row", "rows"],
  },
} as const);
