import type * as english from "../administrators.ts";
import type { Translation } from "../language/translated.ts";
import { counted } from "./counted.ts";

export const administratorsWords: Translation<typeof english.administratorsWords> = {
  title: "Verwaltung",
  person: "Person",
  organization: "Organisation",
  project: "Projekt",
  role: "Rolle",
  anyRole: "Alle Rollen",
  levels: {
    instance: "Für alles",
    organization: "Für eine Organisation",
    project: "Für ein Projekt",
    projectGrant: "Für eine Freigabe",
  },
  empty: "Sie sehen keine Verwaltungsrollen",
  emptyAdvice: "Sie sehen Ihre eigenen Verwaltungsrollen und jene in dem, was Sie durch sie sehen dürfen.",
  all: (count) => (count === 1 ? "1 Eintrag" : `Alle ${counted(count, ["Eintrag", "Einträge"])}`),
};
