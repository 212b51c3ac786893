import { problemOfRange } from "../filters/limits.ts";
import { filterWords } from "../words/filters.ts";
import type { historyWords } from "../words/history.ts";
import { rangeOf } from "./range.ts";
import { type ChangedFilters, type HistorySearch, withFilter } from "./search.ts";

const problems = filterWords.problems;

/** The filters that are shown as chips, each with its parameters of the address. */
const parameters = {
  what: ["kind", "types", "kinds"],
  actor: ["actor"],
  // A role is one of a project.
  project: ["project", "role"],
  organization: ["organization"],
  when: ["when", "from", "to"],
  assignment: ["assignment"],
} as const satisfies Record<keyof typeof historyWords.filters.names, readonly (keyof HistorySearch)[]>;

export type FilterName = keyof typeof parameters;

/** A filter with the parameters that it changes. */
export type HistoryFilter = { readonly name: FilterName; readonly changed: ChangedFilters };

export const filterNames = Object.keys(parameters) as readonly FilterName[];

/** The filters in use. */
export function filtersIn(search: HistorySearch): readonly HistoryFilter[] {
  return filterNames
    .filter((name) => parameters[name].some((parameter) => search[parameter] !== undefined))
    .map((name) => ({
      name,
      changed: Object.fromEntries(parameters[name].map((parameter) => [parameter, search[parameter]])),
    }));
}

/** A filter as its form starts with it. */
export function newFilter(name: FilterName): HistoryFilter {
  return { name, changed: name === "when" ? { when: "last-7-days" } : {} };
}

/** What is only about the other history than the chosen one. */
const noneOfOther = {
  assignments: { kinds: undefined, role: undefined },
  directory: { types: undefined, assignment: undefined },
};

/** The parameters with this filter in place of the one of its name, on the first page. */
export function withOne(search: HistorySearch, { name, changed }: HistoryFilter): HistorySearch {
  const cleared = Object.fromEntries(parameters[name].map((parameter) => [parameter, undefined]));
  return withFilter(search, { ...cleared, ...changed, ...(changed.kind && noneOfOther[changed.kind]) });
}

/** What is missing or wrong. */
export function problemOf({ name, changed }: HistoryFilter): string | undefined {
  const { actor, project, organization, assignment, kind, types = [], kinds = [] } = changed;
  switch (name) {
    case "what":
      return kind === undefined && types.length + kinds.length === 0 ? problems.noKind : undefined;
    case "actor":
      return actor === undefined ? problems.pick.user : undefined;
    case "project":
      return project === undefined && changed.role === undefined ? problems.pick.project : undefined;
    case "organization":
      return organization === undefined ? problems.pick.organization : undefined;
    case "when":
      return changed.when === undefined ? problemOfRange(rangeOf(changed, new Date())) : undefined;
    case "assignment":
      return assignment ? undefined : problems.noText;
  }
}
