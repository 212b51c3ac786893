import type { Translation } from "../language/translated.ts";
import type * as english from "../search.ts";

export const searchWords: Translation<typeof english.searchWords> = {
  title: "Alles durchsuchen",
  field: "Personen, Projekte, Organisationen, Rollen, Zuweisungs-IDs, Seiten und Aktionen suchen",
  placeholder: "Name, Anmeldename, Rolle oder ID",
  results: "Ergebnisse",
  kinds: {
    people: "Personen",
    projects: "Projekte",
    organizations: "Organisationen",
    roles: "Rollen",
    assignments: "Zuweisungen",
    pages: "Seiten und Aktionen",
  },
  start: (isOwnOnly) =>
    isOwnOnly
      ? "Geben Sie Wörter in beliebiger Reihenfolge ein, etwa „keller ann“ oder „prüfer shop“."
      : "Geben Sie Wörter in beliebiger Reihenfolge ein, etwa „keller ann“ oder „prüfer shop“, oder sagen Sie, was zu tun ist: „Ann die Rolle Verkauf in Shop geben“, „Änderungen von Ann“, „dasselbe wie Ann“, „Ann mit Ben vergleichen“, „Austritt Ann“, „Matrix von Shop“.",
  searching: "Suche läuft …",
  first: (count) => `erste ${count}`,
  searched: (kinds, rolesOf) =>
    `Durchsucht: ${kinds}${rolesOf === undefined ? "" : `. Rollen: nur die der ersten ${rolesOf} Projekte`}.`,
  kindsSearched: {
    people: "Personen",
    projects: "Projekte",
    organizations: "Organisationen",
    roles: "Rollen",
    assignments: "Zuweisungs-IDs",
    pages: "Seiten und Aktionen",
  },
  failed: (kinds) => `Konnte nicht durchsucht werden: ${kinds}.`,
  nothing: (text) => `Nichts gefunden für „${text}“.`,
  elsewhere: {
    fewerWords: "Jedes Suchwort muss der Anfang eines Namensteils sein. Versuchen Sie es mit weniger Wörtern.",
    exact: "Wo Sie keine Rechte haben, finden Sie Personen nur über den vollständigen Anmeldenamen oder die ID.",
    removed: "Was entfernt wurde, steht nur im Verlauf.",
    history: "Verlauf öffnen",
  },
  roleIn: (project) => `in ${project}`,
  assignmentOf: (user) => `Zuweisung von ${user}`,
  around: "die rolle in von für",
  firstSteps: "Erste Schritte",
  also: {
    assignments: "deaktivieren löschen",
    history: "protokoll änderungen audit-log",
    people: "personen einladen importieren",
    lists: "importieren csv datei",
  },
  page: "Seite",
  actions: {
    create: "Neue Zuweisung",
    same: (person) => `Dasselbe geben wie ${person}`,
    compare: (one, other) => `${one} mit ${other} vergleichen`,
    changes: (person) => `Alle Änderungen von ${person}`,
    offboard: (person) => `Austritt von ${person}`,
    matrix: (project) => `Matrix von ${project}`,
    give: (person, role) => `${person} die Rolle ${role} geben`,
    where: (project, organization, loginName) => `in ${project}, ${organization} (${loginName})`,
    signOut: "Abmelden",
  },
  action: "Aktion",
};
