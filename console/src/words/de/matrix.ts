import type { Translation } from "../language/translated.ts";
import type * as english from "../matrix.ts";
import { assignments, counted, number } from "./counted.ts";

export const matrixWords: Translation<typeof english.matrixWords> = {
  open: "Matrix",
  openProjects: "Matrix",
  ofProject: (name) => `Personen und Rollen von ${name}`,
  ofOrganization: (name) => `Personen und Projekte von ${name}`,
  notFound: "Diese Matrix kann nicht angezeigt werden",
  notFoundAdvice: "Das Projekt oder die Organisation wurde entfernt, oder Sie dürfen sie nicht sehen.",
  peopleAndRoles: "Personen und Rollen",
  peopleAndProjects: "Personen und Projekte",
  tools: "Zeilen und Spalten",
  findRoles: "Rollen suchen",
  findProjects: "Projekte suchen",
  person: "Person",
  loginName: "Anmeldename",
  organization: "Organisation",
  yes: "ja",
  notGranted: (role, organization) => `${role} ist für ${organization} nicht freigegeben`,
  cell: (person, column, holds, lack, isEdited) => {
    const held = typeof holds === "string" ? holds || "keine Rollen" : holds ? "ja" : "nein";
    const state = lack === undefined ? "" : typeof holds === "string" ? ` (${lack})` : `, ${lack}`;
    return `${person}, ${column}: ${held}${state}${isEdited ? " (geändert)" : ""}`;
  },
  shown: (rows, columns, found, isOfRoles) => {
    const some = columns < found ? `${number(columns)} von ` : "";
    const hint = columns < found ? " Weitere finden Sie über den Namen." : "";
    const several = isOfRoles ? (["Rolle", "Rollen"] as const) : (["Projekt", "Projekten"] as const);
    const all = isOfRoles ? several : (["Projekt", "Projekte"] as const);
    return `${counted(rows, ["Zeile", "Zeilen"])}, ${some}${counted(found, some === "" ? all : several)}.${hint}`;
  },
  onlyFirst: (most) => `Nur die ersten ${number(most)} Zuweisungen werden angezeigt. Fügen Sie einen Filter hinzu.`,
  notListed: (count) => `${counted(count, ["Spalte ist", "Spalten sind"])} nicht aufgelistet, weil es zu viele gibt.`,
  none: "Keine passenden Zuweisungen.",
  changes: "Änderungen",
  changed: (count) => `${assignments(count)} geändert, noch nicht gespeichert`,
  review: "Prüfen …",
  discard: "Verwerfen",
  leave: "Seite verlassen, ohne die Änderungen zu speichern? Die geänderten Zellen gehen verloren.",
  take: "Übernehmen",
};
