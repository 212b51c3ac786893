import type * as english from "../filter-editor.ts";
import type { Translation } from "../language/translated.ts";
import { number } from "./counted.ts";

export const filterEditorWords: Translation<typeof english.filterEditorWords> = {
  add: "Filter hinzufügen",
  edit: "Filter bearbeiten",
  titleOf: (title, subject) => `${title}: ${subject}`,
  apply: "Anwenden",
  choose: "Auswählen …",
  whatBy: (name) => `${name}: wonach gefiltert wird`,
  removeOf: (name) => `${name} entfernen`,
  filter: (place) => `Filter ${place}`,
  not: "Nicht",
  anyOfThese: "Einer davon",
  allOfThese: "Alle davon",
  addFirst: "Filter hinzufügen",
  addAnother: "Weiteren Filter hinzufügen",
  comparison: (label) => `Vergleichsart: ${label}`,
  typed: "Eintippen oder einfügen",
  listHint: (count) => `Eine pro Zeile oder durch Kommas getrennt. Bisher ${number(count)}.`,
  usualRanges: "Übliche Zeiträume",
  presets: { today: "Heute", week: "Letzte 7 Tage", days: "Letzte 30 Tage", month: "Dieser Monat" },
  presetsAhead: { nextWeek: "Nächste 7 Tage", nextDays: "Nächste 30 Tage" },
  from: "Von",
  untilBefore: "Bis vor",
  zone: (zone) => `In Ihrer Zeitzone, ${zone}. Eines der beiden Felder kann leer bleiben.`,
  lists: {
    user: { names: "Personen", ids: "Personen-IDs" },
    project: { names: "Projekte", ids: "Projekt-IDs" },
    role: { ids: "Rollenschlüssel" },
    assignment: { ids: "Zuweisungs-IDs" },
  },
  rolesOfProject: "Rollen des Projekts",
  rolesOf: (project) => `Rollen von ${project}`,
  projectIs: "Das Projekt",
  isOwned: "gehört der Organisation der Zuweisung",
  grantsOfProject: "Freigaben des Projekts",
  grantedTo: (organization) => `ist für ${organization} freigegeben`,
  moreGrants: (count) =>
    `${number(count)} weitere werden nicht angezeigt. Filtern Sie stattdessen nach Projekt und Organisation.`,
};
