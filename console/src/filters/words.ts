import { type AuthorizationsSearchFilter, State, TextFilterMethod } from "@authorization-service/client";
import { contentOf } from "./content.ts";
import { within } from "./count.ts";
import { kinds } from "./kinds.ts";
import { inWords, type Range } from "./moments.ts";

/** A piece of a sentence: fixed words, a text from a filter, or a thing that is shown by its name. */
export type Word =
  | string
  | { readonly text: string }
  | { readonly thing: "user" | "project" | "organization"; readonly id: string };

/** How many items of a list are shown. */
const mostTold = 3;

/** The filter in words of a support person, such as “Project name contains “sell””. */
export function wordsOf(filter: AuthorizationsSearchFilter): readonly Word[] {
  const content = contentOf(filter);
  if (content === undefined || filter.filter.case === undefined) return ["A filter that says nothing"];
  const { subject } = kinds[filter.filter.case];
  switch (content.shape) {
    case "text":
      return [`${subject} ${methodNames[content.method] ?? "compares with"} `, { text: `“${content.text}”` }];
    case "id":
      return [`${subject} is `, ...listWords([content.id].filter(Boolean), content.of)];
    case "grant":
      return content.id === ""
        ? [`${subject} is owned, not granted`]
        : [`${subject} is granted by `, { text: content.id }];
    case "list":
      return [`${subject} is `, ...listWords(content.list, content.of)];
    case "state":
      return [`${subject} is ${stateNames[content.state] ?? "unknown"}`];
    case "range":
      return [subject, rangeWords(content.range)];
    case "several":
      return [`${subject}: `, ...groupWords(content.filters)];
    case "not":
      return [`${subject}: `, ...enclosed(content.filter)];
  }
}

/** The known values. Any other value of an enum comes from a newer service. */
type Method = (typeof TextFilterMethod)[keyof typeof TextFilterMethod];

export const methodNames: Readonly<Partial<Record<TextFilterMethod, string>>> = {
  [TextFilterMethod.CONTAINS_IGNORE_CASE]: "contains",
  [TextFilterMethod.EQUALS_IGNORE_CASE]: "is",
  [TextFilterMethod.STARTS_WITH_IGNORE_CASE]: "begins with",
  [TextFilterMethod.ENDS_WITH_IGNORE_CASE]: "ends with",
  [TextFilterMethod.CONTAINS]: "contains exactly",
  [TextFilterMethod.EQUALS]: "is exactly",
  [TextFilterMethod.STARTS_WITH]: "begins exactly with",
  [TextFilterMethod.ENDS_WITH]: "ends exactly with",
} satisfies Record<Method, string>;

export const stateNames: Readonly<Record<State, string | undefined>> = {
  [State.UNSPECIFIED]: undefined,
  [State.ACTIVE]: "active",
  [State.INACTIVE]: "inactive",
};

function listWords(
  list: readonly string[],
  of: "user" | "project" | "organization" | "role" | "assignment",
): readonly Word[] {
  if (list.length === 0) return ["nothing"];
  const told = list.slice(0, mostTold);
  const more = list.length - told.length;
  return told.flatMap((id, index): readonly Word[] => {
    const isLast = index === told.length - 1;
    const before = index === 0 ? [] : [isLast && more === 0 ? " or " : ", "];
    const word = of === "role" || of === "assignment" ? { text: id } : { thing: of, id };
    return [...before, word, ...(isLast && more > 0 ? [` or ${more} more`] : [])];
  });
}

function rangeWords({ from, to }: Range): string {
  if (from === undefined) return to === undefined ? " at any time" : ` before ${inWords(to)}`;
  return ` from ${inWords(from)}${to === undefined ? " on" : ` until before ${inWords(to)}`}`;
}

function groupWords(filters: readonly AuthorizationsSearchFilter[]): readonly Word[] {
  if (filters.length === 0) return ["nothing"];
  const more = filters.length - mostTold;
  return [
    ...filters.slice(0, mostTold).flatMap((filter, index) => [...(index === 0 ? [] : ["; "]), ...enclosed(filter)]),
    ...(more > 0 ? [`; and ${more} more`] : []),
  ];
}

/** For groups within groups, brackets show what belongs together. */
function enclosed(filter: AuthorizationsSearchFilter): readonly Word[] {
  return within(filter).length > 0 ? ["(", ...wordsOf(filter), ")"] : wordsOf(filter);
}
