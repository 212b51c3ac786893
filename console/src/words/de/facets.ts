import type * as english from "../facets.ts";
import type { Translation } from "../language/translated.ts";
import { assignments, number } from "./counted.ts";

export const facetWords: Translation<typeof english.facetWords> = {
  title: "Eingrenzen",
  show: "Eingrenzen",
  done: "Zuweisungen anzeigen",
  facets: { project: "Projekt", organization: "Organisation", role: "Rolle", state: "Status" },
  states: { active: "Aktiv", inactive: "Inaktiv" },
  count: number,
  counted: assignments,
  someOthers: "Weitere: siehe „Weitere Filter“",
  find: {
    project: "Projekt suchen",
    organization: "Organisation suchen",
    role: "Rolle suchen",
    state: "Status suchen",
  },
  notFound: "Nichts hat diesen Namen.",
  showAll: (count) => `Alle ${number(count)} anzeigen`,
  counting: "Wird gezählt …",
  failed: "Die Zahlen konnten nicht geladen werden.",
  retry: "Erneut zählen",
};
