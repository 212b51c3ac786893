import { locale } from "../language/language.ts";
import type { Translation } from "../language/translated.ts";
import type * as english from "../pages.ts";
import { product, titleOf } from "../product.ts";
import { number } from "./counted.ts";

const list = new Intl.ListFormat(locale);
const mostPlaces = 5;

function withRest(places: readonly string[]): readonly string[] {
  const more = places.length - mostPlaces;
  return more > 0 ? [...places.slice(0, mostPlaces), `${number(more)} weitere`] : places;
}

export const pageWords: Translation<typeof english.pageWords> = {
  product,
  titleOf,
  breadcrumbs: "Gehört zu",
  noneSeen: (places) =>
    places.length === 0
      ? "Keine, die Sie sehen können. Sie haben keine Verwaltungsrolle und sehen nur Ihre eigenen Zuweisungen."
      : `Keine, die Sie sehen können. Ihre Verwaltungsrollen gelten für ${list.format(withRest(places))}.`,
  anotherOrganization: "eine andere Organisation",
  anotherProject: "ein anderes Projekt",
  erasedPerson: "gelöschte Person",
  copyId: "ID kopieren",
  copiesId: (ofWhat) => `ID von ${ofWhat}`,
  loading: "Wird geladen …",
  pages: "Seiten",
  first: "Erste",
  previous: "Vorige",
  next: "Nächste",
  noneOf: (several) => `Keine ${several}`,
  // In the dative case: „von 196 Einträgen“.
  range: (from, to, all) => `${from}–${to} von ${all.replace(/e$/, "en")}`,
  filters: "Filter",
  searchByName: "Nach Namen suchen",
  clearSearch: "Alle anzeigen",
  nothingMatches: "Nichts passt zu dieser Suche",
  emptyPage: "Diese Seite ist jetzt leer",
  firstPage: "Zur ersten Seite",
  showMore: (left) => `Mehr anzeigen (${number(left)})`,
  noRoles: "Keine Rollen",
  people: ["Person", "Personen"],
  projects: ["Projekt", "Projekte"],
  organizations: ["Organisation", "Organisationen"],
  assignments: ["Zuweisung", "Zuweisungen"],
  roles: ["Rolle", "Rollen"],
  entries: ["Eintrag", "Einträge"],
};
