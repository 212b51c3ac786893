import type * as english from "../access.ts";
import { locale } from "../language/language.ts";
import type { Translation } from "../language/translated.ts";
import { number } from "./counted.ts";

const list = new Intl.ListFormat(locale, { type: "disjunction" });

export const yourAccessWords: Translation<typeof english.yourAccessWords> = {
  title: "Ihr Zugang",
  columns: {
    project: "Projekt",
    roles: "Rollen",
    organization: "Organisation",
    since: "Seit",
    changed: "Letzte Änderung",
    ends: "Läuft ab",
  },
  never: "Nie",
  none: "Sie haben noch in keinem Projekt Rollen.",
  more: (count) => `${number(count)} weitere zeigen`,
  ask: "Wen Sie fragen können",
  advice: (organizations) =>
    organizations.length === 0
      ? "Fragen Sie die Verwaltung Ihrer Organisation nach Rollen in einem Projekt."
      : `Wenn etwas fehlt oder zu viel ist, fragen Sie die Verwaltung von ${list.format(organizations)}.`,
};
