import { filterWords } from "../words/filters.ts";
import { type Group, groupOf, type Kind, kindNames } from "./content.ts";

export const groups = Object.keys(filterWords.groups) as readonly Group[];

/** Every kind that the service knows: its group, the start of its chip ("Project is …"), and its label in the list. */
export const kinds = Object.fromEntries(
  kindNames.map((kind) => [kind, { group: groupOf(kind), ...filterWords.kinds[kind] }]),
) as { readonly [K in Kind]: { readonly group: Group; readonly subject: string; readonly name: string } };

/** The maximum depth and the maximum number of filters (docs/reference/lists-and-filters.md). */
export const mostDepth = 3;
export const mostFilters = 50;

export function isGroup(kind: Kind): boolean {
  return groupOf(kind) === "groups";
}
