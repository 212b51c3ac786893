import type * as english from "../account.ts";
import type { Translation } from "../language/translated.ts";
import { number } from "./counted.ts";

export const accountWords: Translation<typeof english.accountWords> = {
  title: "Ihr Konto",
  of: "Ihnen",
  facts: { name: "Name", loginName: "Anmeldename", organization: "Gehört zu" },
  language: "Sprache",
  ofBrowser: "Wie im Browser",
  everything: "Alles, was Sie haben und verwalten",
  permissions: {
    title: "Was Sie dürfen und warum",
    columns: { permission: "Sie dürfen", why: "Durch Ihre Rolle" },
    none: "Sie haben keine Verwaltungsrollen. Sie sehen Ihre eigenen Zuweisungen.",
    more: (count) => `und ${number(count)} weitere`,
  },
};
