import type * as english from "../first-steps.ts";
import type { Translation } from "../language/translated.ts";
import { counted } from "./counted.ts";

export const firstStepsWords: Translation<typeof english.firstStepsWords> = {
  title: "Erste Schritte",
  welcome: {
    title: "Richten Sie Ihren Dienst ein",
    advice: "Noch ist nichts zugewiesen. Wenige Schritte führen von einer Organisation zur ersten Zuweisung.",
    begin: "Mit den ersten Schritten beginnen",
    resume: "Die ersten Schritte fortsetzen",
  },
  notAllowed: "Für die ersten Schritte ist die Vollverwaltung für alles nötig",
  notAllowedAdvice: "Wenden Sie sich an eine Person mit Vollverwaltung für alles.",
  toAssignments: "Zu den Zuweisungen",
  reason: "Erste Schritte",
  progress: "Schritte",
  isDone: "erledigt",
  leave: "Jeder Schritt bleibt erhalten. Sie können die Seite jederzeit verlassen und später weitermachen.",
  next: "Weiter",
  steps: {
    organization: "Organisation",
    project: "Projekt",
    roles: "Rollen",
    people: "Personen",
    assignments: "Zuweisungen",
    lines: "Die API verwenden",
  },
  organization: {
    advice: "Eine Organisation ist eine Firma oder ein Team. Zu ihr gehören Projekte und Personen.",
    existing: (name) => `${name} verwenden`,
    other: "Andere Organisation hinzufügen",
    name: "Name der Organisation",
    add: "Organisation hinzufügen",
  },
  project: {
    advice: (organization) =>
      `Ein Projekt ist eine Anwendung, die fragt, wer was darf. Es wird ${organization} gehören.`,
    existing: (name) => `${name} verwenden`,
    name: "Name des Projekts",
    add: "Projekt hinzufügen",
  },
  roles: {
    advice: (project) => `Rollen beschreiben, was Personen in ${project} tun. Programme prüfen ihre Schlüssel.`,
    existing: "Rollen des Projekts",
    keys: "Schlüssel, mit Kommas dazwischen",
    hint: "Zum Beispiel: verkauf, pruefung, kasse",
    taken: (keys) => `Das Projekt hat diese Rollen schon: ${keys}.`,
    add: (count) => (count === 0 ? "Rollen hinzufügen" : `${counted(count, ["Rolle", "Rollen"])} hinzufügen`),
  },
  people: {
    advice: (organization) => `Die ersten Personen von ${organization}.`,
    existing: (count, organization) => `${organization} hat schon ${counted(count, ["Person", "Personen"])}.`,
  },
  assignments: {
    advice: (project, organization) => `Wer hat welche Rollen für ${project} in ${organization}?`,
    people: "Personen",
    everyone: "Alle in dieser Liste",
    more: (left) =>
      `${counted(left, ["weitere Person ist", "weitere Personen sind"])} nicht aufgelistet. Weisen Sie ihre Rollen später zu.`,
    roles: "Rollen",
    hasSome: "hat schon eine Zuweisung",
    assign: (count) => (count === 0 ? "Zuweisen" : `An ${counted(count, ["Person", "Personen"])} zuweisen`),
    done: (count) => `${counted(count, ["Person hat", "Personen haben"])} jetzt eine Zuweisung.`,
    noRoles: "Das Projekt hat noch keine Rollen.",
    toRoles: "Zurück zu den Rollen",
  },
  lines: {
    advice: (count) =>
      `Es gibt ${counted(count, ["Zuweisung", "Zuweisungen"])}. Programme fragen sie mit einem Token ab.`,
    token:
      "Setzen Sie ein Token in die Variable TOKEN ein: das, mit dem Sie angemeldet sind, oder ein neues für ein Programm.",
    toAccount: "Token erstellen",
    curl: "Mit curl",
    typescript: "In TypeScript",
    install: "Benötigte Pakete",
    copiesCurl: "curl-Befehl",
    copiesTypescript: "TypeScript-Code",
    table: "In der Tabelle ansehen",
  },
  added: (name) => `${name} wurde hinzugefügt.`,
  rolesAdded: (count) => `${counted(count, ["Rolle wurde", "Rollen wurden"])} hinzugefügt.`,
};
