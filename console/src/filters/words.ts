import { type AuthorizationsSearchFilter, State, TextFilterMethod } from "@authorization-service/client";
import { filterWords } from "../words/filters.ts";
import { contentOf, within } from "./content.ts";
import { inWords, type Range } from "./moments.ts";

const words = filterWords.inWords;

/** A piece of a sentence: fixed words, a text from a filter, or a thing that is shown by its name. */
export type Word = string | { readonly text: string } | Thing;

export type Thing =
  | { readonly thing: "user" | "project" | "organization" | "grant"; readonly id: string }
  /** A role is named in its project. */
  | { readonly thing: "role"; readonly id: string; readonly project: string };

/** How many items of a list are shown. */
const mostTold = 3;

/**
 * The filter in words of a support person, such as “Project name contains “sell””. The roles are those of `project`, if
 * other filters leave only one.
 */
export function wordsOf(filter: AuthorizationsSearchFilter, project?: string): readonly Word[] {
  const content = contentOf(filter);
  if (content === undefined || filter.filter.case === undefined) return [words.unknown];
  const { subject } = filterWords.kinds[filter.filter.case];
  switch (content.shape) {
    case "text":
      return [
        words.compares(subject, methodNames[content.method] ?? words.comparesWith),
        { text: words.quoted(content.text) },
      ];
    case "id":
      return [words.is(subject), ...listWords([content.id].filter(Boolean), content.of)];
    case "grant":
      return content.id === ""
        ? [words.isOwned(subject)]
        : [words.isGranted(subject), { thing: "grant", id: content.id }];
    case "list":
      return [words.is(subject), ...listWords(content.list, content.of, project)];
    case "state":
      return [words.isState(subject, stateNames[content.state] ?? words.unknownState)];
    case "range":
      return [subject, rangeWords(content.range)];
    case "several":
      return [
        words.of(subject),
        ...groupWords(
          content.filters,
          filter.filter.case === "allOf" ? (projectIn(content.filters) ?? project) : project,
        ),
      ];
    case "not":
      return isAnyRole(content.filter) ? [words.noRoles] : [words.of(subject), ...enclosed(content.filter, project)];
  }
}

/** Every key has the empty text in it. */
function isAnyRole({ filter }: AuthorizationsSearchFilter): boolean {
  return filter.case === "roleKey" && filter.value.key === "" && filter.value.method === TextFilterMethod.CONTAINS;
}

/** The project of everything that matches all of the filters, if they name it. */
export function projectIn(filters: readonly AuthorizationsSearchFilter[]): string | undefined {
  for (const { filter } of filters) {
    if (filter.case === "projectId") return filter.value.id;
    if (filter.case === "projectIds" && filter.value.ids.length === 1) return filter.value.ids[0];
  }
  return undefined;
}

/** The known values. Any other value of an enum comes from a newer service. */
type Method = (typeof TextFilterMethod)[keyof typeof TextFilterMethod];

export const methodNames: Readonly<Partial<Record<TextFilterMethod, string>>> = {
  [TextFilterMethod.CONTAINS_IGNORE_CASE]: words.methods.containsIgnoreCase,
  [TextFilterMethod.EQUALS_IGNORE_CASE]: words.methods.equalsIgnoreCase,
  [TextFilterMethod.STARTS_WITH_IGNORE_CASE]: words.methods.startsIgnoreCase,
  [TextFilterMethod.ENDS_WITH_IGNORE_CASE]: words.methods.endsIgnoreCase,
  [TextFilterMethod.CONTAINS]: words.methods.contains,
  [TextFilterMethod.EQUALS]: words.methods.equals,
  [TextFilterMethod.STARTS_WITH]: words.methods.starts,
  [TextFilterMethod.ENDS_WITH]: words.methods.ends,
} satisfies Record<Method, string>;

export const stateNames: Readonly<Record<State, string | undefined>> = {
  [State.UNSPECIFIED]: undefined,
  [State.ACTIVE]: words.states.active,
  [State.INACTIVE]: words.states.inactive,
};

function listWords(
  list: readonly string[],
  of: "user" | "project" | "organization" | "role" | "assignment",
  project?: string,
): readonly Word[] {
  if (list.length === 0) return [words.nothing];
  const told = list.slice(0, mostTold);
  const more = list.length - told.length;
  return told.flatMap((id, index): readonly Word[] => {
    const isLast = index === told.length - 1;
    const before = index === 0 ? [] : [isLast && more === 0 ? words.or : words.comma];
    return [...before, named(of, id, project), ...(isLast && more > 0 ? [words.orMore(more)] : [])];
  });
}

function named(of: Parameters<typeof listWords>[1], id: string, project: string | undefined): Word {
  if (of === "assignment") return { text: id };
  if (of !== "role") return { thing: of, id };
  return project === undefined ? { text: id } : { thing: of, id, project };
}

export function rangeWords({ from, to }: Range): string {
  if (from === undefined) return to === undefined ? words.anyTime : words.before(inWords(to));
  return to === undefined ? words.since(inWords(from)) : words.between(inWords(from), inWords(to));
}

function groupWords(filters: readonly AuthorizationsSearchFilter[], project: string | undefined): readonly Word[] {
  if (filters.length === 0) return [words.nothing];
  const more = filters.length - mostTold;
  return [
    ...filters
      .slice(0, mostTold)
      .flatMap((filter, index) => [...(index === 0 ? [] : [words.semicolon]), ...enclosed(filter, project)]),
    ...(more > 0 ? [words.andMore(more)] : []),
  ];
}

/** For groups within groups, brackets show what belongs together. */
function enclosed(filter: AuthorizationsSearchFilter, project: string | undefined): readonly Word[] {
  const inWords = wordsOf(filter, project);
  return within(filter).length > 0 ? ["(", ...inWords, ")"] : inWords;
}
