import type { Translation } from "../language/translated.ts";
import type * as english from "../rows.ts";
import { counted, number } from "./counted.ts";

export const rowWords: Translation<typeof english.rowWords> = {
  assignments: "Zuweisungen",
  lastChange: "Letzte Änderung",
  administrators: "Verwaltung",
  count: (total) => number(total),
  none: "Keine",
  noneSeen: "Keine, die Sie sehen können",
  others: (count) => `und ${counted(count, ["weitere", "weitere"])}`,
  select: (name) => `${name} auswählen`,
  selectPage: "Alle auf dieser Seite auswählen",
  theirAssignments: "Zuweisungen anzeigen",
  tooManyPeople: (most) => `Wählen Sie höchstens ${most} Personen aus, um deren Zuweisungen anzuzeigen.`,
  compare: "Vergleichen",
  exportSelected: "Auswahl exportieren",
  export: {
    people: { file: "personen", columns: ["ID", "Name", "Anmeldename", "Organisations-ID"] },
    projects: {
      file: "projekte",
      columns: ["ID", "Name", "ID der Organisation, der es gehört", "Rollen", "Freigaben"],
    },
    organizations: { file: "organisationen", columns: ["ID", "Name"] },
  },
};
