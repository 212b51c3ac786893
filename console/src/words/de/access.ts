import type * as english from "../access.ts";
import { locale } from "../language/language.ts";
import type { Translation } from "../language/translated.ts";
import { number } from "./counted.ts";

const list = new Intl.ListFormat(locale, { type: "disjunction" });

export const ownAccessWords: Translation<typeof english.ownAccessWords> = {
  title: "Ihr Zugriff",
  columns: {
    project: "Projekt",
    roles: "Rollen",
    organization: "Organisation",
    since: "Seit",
    ends: "Läuft ab",
  },
  never: "Nie",
  none: "Sie haben noch keine Rollen in einem Projekt.",
  more: (count) => `${number(count)} weitere anzeigen`,
  ask: "An wen Sie sich wenden",
  advice: (organizations) =>
    organizations.length === 0
      ? "Bitten Sie die Verwaltung Ihrer Organisation um Rollen in einem Projekt."
      : `Wenn etwas fehlt oder zu viel ist, wenden Sie sich an die Verwaltung von ${list.format(organizations)}.`,
};
