import type * as english from "../create.ts";
import type { Translation } from "../language/translated.ts";
import { assignments } from "./counted.ts";

export const createWords: Translation<typeof english.createWords> = {
  title: "Neue Zuweisung",
  users: "Personen",
  organization: "Organisation",
  project: "Projekt",
  findProject: "Projekt suchen",
  moreProjects: "Es gibt mehr. Suchen Sie nach dem Namen.",
  noProject: "Kein Projekt passt.",
  create: "Anlegen",
  review: (people) => `${assignments(people)} prüfen`,
  save: "Rollen speichern",
  lookingUp: "Der Link wird ausgewertet …",
  granted: "freigegeben",
  loading: "Wird geladen …",
  nothingThere: (organization) => `Sie können in ${organization} nichts zuweisen. Wählen Sie eine andere Organisation.`,
  existing: {
    there: "Die Person hat dort schon eine Zuweisung.",
    adds: "Die Rollen kommen zu den vorhandenen hinzu.",
    hasIt: "schon zugewiesen",
    open: "Öffnen",
  },
  missing: "Wählen Sie Personen und ein Projekt.",
  noRoles: "Ohne Rollen gibt sie keine Rechte. Sie können sie später hinzufügen.",
};
