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
  history: "Verlauf",
  assignments: "Was sich an Zuweisungen änderte",
  directory: {
    project: "Was sich am Projekt, seinen Rollen, Freigaben und Verwaltungsrollen änderte",
    organization: "Was sich an der Organisation, ihren Personen, Projekten und Verwaltungsrollen änderte",
  },
  none: "Keine Änderungen vorhanden.",
};
