import type * as english from "../create.ts";
import type { Translation } from "../language/translated.ts";
import { assignments } from "./counted.ts";

export const createWords: Translation<typeof english.createWords> = {
  title: "Neue Zuweisung",
  users: "Personen",
  organization: "Organisation",
  project: "Projekt",
  projectHint: "Wählen Sie ein Projekt, um seine Rollen zu sehen.",
  create: "Anlegen",
  review: (people) => `${assignments(people)} prüfen`,
  creating: "Wird angelegt …",
  save: "Rollen speichern",
  saving: "Wird gespeichert …",
  lookingUp: "Der Link wird ausgewertet …",
  granted: "freigegeben",
  loading: "Wird geladen …",
  nothingThere: (organization) => `Sie können in ${organization} nichts zuweisen. Wählen Sie eine andere Organisation.`,
  existing: {
    title: "Vorhandene Zuweisung bearbeiten",
    there: "Die Person hat dort schon eine Zuweisung.",
    edit: "Ändern Sie ihre Rollen hier, oder öffnen Sie sie.",
    open: "Öffnen",
  },
  uncertain: "Der Server hat nicht geantwortet. Es ist unklar, ob die Zuweisung angelegt wurde.",
  look: "Nachsehen, ob es sie gibt",
  missing: {
    both: "Wählen Sie eine Person und ein Projekt.",
    user: "Wählen Sie eine Person.",
    project: "Wählen Sie ein Projekt.",
  },
  noRoles: "Ohne Rollen gibt sie keine Rechte. Sie können sie später hinzufügen.",
};
