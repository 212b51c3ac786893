import type * as english from "../facets.ts";
import type { Translation } from "../language/translated.ts";
import { assignments, number } from "./counted.ts";

export const facetWords: Translation<typeof english.facetWords> = {
  title: "Eingrenzen",
  show: "Eingrenzen",
  done: "Zuweisungen anzeigen",
  facets: { project: "Projekt", organization: "Organisation", role: "Rolle", state: "Status" },
  rolesOf: (project) => `Rolle in ${project}`,
  states: { active: "Aktiv", inactive: "Inaktiv" },
  count: number,
  counted: assignments,
  others: (count) => `${number(count)} in anderen: siehe „Weitere Filter“`,
  someOthers: "Weitere: siehe „Weitere Filter“",
  find: (title) => `Suchen: ${title}`,
  notFound: "Nichts hat diesen Namen.",
  showAll: (count) => `Alle ${number(count)} anzeigen`,
  roleRemoved: (role) => `Auch der Filter nach der Rolle ${role} wird entfernt, weil Rollen zu einem Projekt gehören.`,
  unlisted: (count) => `${number(count)} weitere Rollen: siehe „Weitere Filter“`,
  counting: "Wird gezählt …",
  failed: "Die Zahlen konnten nicht geladen werden.",
  retry: "Erneut zählen",
};
