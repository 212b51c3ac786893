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
  isDone: "erledigt",
  leave: "Jeder Schritt bleibt erhalten. Sie können die Seite jederzeit verlassen und später weitermachen.",
  steps: {
    organization: "Organisation",
    project: "Projekt",
    roles: "Rollen",
    people: "Personen",
    assignments: "Zuweisungen",
    lines: "Die API verwenden",
  },
  addOrganization: "Andere Organisation hinzufügen",
  addProject: "Projekt hinzufügen",
  projectAdvice: (organization) =>
    `Ein Projekt ist eine Anwendung, die fragt, wer was darf. Es wird ${organization} gehören.`,
  addRoles: "Rollen hinzufügen",
  rolesAdvice: "Rollen beschreiben, was Personen in einem Projekt tun. Programme prüfen ihre Schlüssel.",
  people: (count, organization) => `${organization} hat ${counted(count, ["Person", "Personen"])}.`,
  peopleAdvice: (organization) => `Die ersten Personen von ${organization}.`,
  assignmentsAdvice: "Eine Zuweisung gibt einer Person Rollen für ein Projekt in einer Organisation.",
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
  },
};
