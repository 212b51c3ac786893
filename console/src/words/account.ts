import { counted } from "./counted.ts";
import { translated } from "./language/translated.ts";

export const accountWords = translated("accountWords", {
  title: "Your account",
  of: "you",
  facts: { name: "Name", loginName: "Login name", organization: "Belongs to" },
  language: "Language",
  ofBrowser: "As in the browser",
  everything: "Everything you hold and administer",
  permissions: {
    title: "What you may do, and why",
    columns: { permission: "You may", why: "Through your role" },
    none: "You have no administrator roles. You see your own assignments.",
    more: (count: number) => `and ${counted(count, ["more", "more"])}`,
  },
} as const);
