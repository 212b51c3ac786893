import { translated } from "./language/translated.ts";

/** The words for why something is changed. */
export const reasonWords = translated("reasonWords", {
  add: "Add a reason",
  optional: "Reason (optional; the history keeps it)",
  required: "Reason (the history keeps it)",
} as const);
