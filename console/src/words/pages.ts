import { locale } from "./language/language.ts";
import { translated } from "./language/translated.ts";
import { product, titleOf } from "./product.ts";

// The texts that several pages share. A page's own texts are in the file of its name beside this one. No component
// contains text, so translations can replace what these files export.

const number = new Intl.NumberFormat(locale);

const list = new Intl.ListFormat(locale);
const mostPlaces = 5;

function withRest(places: readonly string[]): readonly string[] {
  const more = places.length - mostPlaces;
  return more > 0 ? [...places.slice(0, mostPlaces), `${number.format(more)} more`] : places;
}

export const pageWords = translated("pageWords", {
  product,
  titleOf,
  breadcrumbs: "Belongs to",
  noneSeen: (places: readonly string[]) =>
    places.length === 0
      ? "None that you can see. You have no administrator role, so you see only your own assignments."
      : `None that you can see. Your administrator roles are for ${list.format(withRest(places))}.`,
  anotherOrganization: "another organization",
  anotherProject: "another project",
  erasedPerson: "erased person",
  copyId: "Copy id",
  copiesId: (ofWhat: string) => `the id of ${ofWhat}`,
  loading: "Loading…",
  pages: "Pages",
  first: "First",
  previous: "Previous",
  next: "Next",
  noneOf: (several: string) => `No ${several}`,
  range: (from: string, to: string, all: string) => `${from}–${to} of ${all}`,
  filters: "Filters",
  searchByName: "Search by name",
  clearSearch: "Show all",
  nothingMatches: "Nothing matches this search",
  emptyPage: "This page is empty now",
  firstPage: "Go to the first page",
  showMore: (left: number) => `Show more (${number.format(left)})`,
  noRoles: "No roles",
  people: ["person", "people"],
  projects: ["project", "projects"],
  organizations: ["organization", "organizations"],
  assignments: ["assignment", "assignments"],
  roles: ["role", "roles"],
  entries: ["entry", "entries"],
} as const);
