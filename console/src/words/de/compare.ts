import type * as english from "../compare.ts";
import type { Translation } from "../language/translated.ts";
import { counted, number } from "./counted.ts";

export const compareWords: Translation<typeof english.compareWords> = {
  title: "Zugriff vergleichen",
  open: "Dasselbe geben wie …",
  compare: "Vergleichen mit …",
  people: "Personen zum Vergleichen",
  from: "Hat den Zugriff",
  to: "Bekommt dasselbe",
  same: "Wählen Sie zwei verschiedene Personen.",
  notFound: "Eine der Personen ist nicht zu finden. Sie wurde entfernt, oder Sie dürfen sie nicht sehen.",
  onlyFirst: (most) => `Nur die ersten ${number(most)} Zuweisungen jeder Person werden verglichen.`,
  advice:
    "Wählen Sie zwei Personen, um zu sehen, was die eine hat und der anderen fehlt. Was fehlt, können Sie hier zuweisen.",
  administers: (name) => `${name} verwaltet`,
  noAdministers: "Keine Verwaltungsrollen vorhanden.",
  assignments: "Zuweisungen",
  place: "Projekt und Organisation",
  only: (name) => `Nur ${name}`,
  both: "Beide",
  choice: (role, name, project) => `${role} in ${project} für ${name}`,
  inactive: "Inaktiv:",
  review: (count, name) => `${counted(count, ["Rolle", "Rollen"])} an ${name} geben …`,
  nothingToGive: "Nichts zu geben",
  none: "Keine der beiden Personen hat Zuweisungen, die Sie sehen können.",
  noDifference: "Soweit Sie sehen können, haben beide überall dieselben Rollen.",
  mayNot: "Sie können dort keine Rollen zuweisen",
  notOffered: "kann dort nicht zugewiesen werden",
  asking: "wird geprüft",
};
