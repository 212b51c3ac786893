import type { Translation } from "../language/translated.ts";
import type * as english from "../removed.ts";

export const removedWords: Translation<typeof english.removedWords> = {
  kinds: { user: "Entfernte Person", project: "Entferntes Projekt", organization: "Entfernte Organisation" },
  mark: "entfernt",
  loginName: "Anmeldename",
  belongedTo: "Gehörte zu",
  ownedBy: "Gehörte zu",
  when: "Entfernt",
  by: "Entfernt von",
  why: "Grund",
};
