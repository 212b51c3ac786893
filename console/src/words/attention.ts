import { counted } from "./counted.ts";
import { translated } from "./language/translated.ts";

/** What needs attention, above the overview. */
export const attentionWords = translated("attentionWords", {
  title: "What needs attention",
  nothing: "Nothing needs attention.",
  unchecked: "Not everything could be checked.",
  withoutOwner: (count: number) => `${counted(count, ["organization has", "organizations have"])} no owner:`,
  more: (count: number) => `and ${counted(count, ["other", "others"])}`,
  withoutRoles: (count: number) => `${counted(count, ["assignment has", "assignments have"])} no roles`,
  ending: (count: number) => `${counted(count, ["assignment ends", "assignments end"])} within 7 days`,
  tokens: (count: number) => `${counted(count, ["of your tokens ends", "of your tokens end"])} within 14 days`,
  changes: (count: number) => `${counted(count, ["change", "changes"])} since your last visit`,
} as const);
