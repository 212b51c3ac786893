import { type AuthorizationsSearchFilter, State, TextFilterMethod } from "@authorization-service/client";
import { asFilter } from "./content.ts";

type Filters = readonly AuthorizationsSearchFilter[];

/** A filter with a field of its own instead of a chip, and its index in the list. */
type InSight<Content> = { readonly index: number; readonly content: Content };

const method = TextFilterMethod.CONTAINS_IGNORE_CASE;

/** The filter of the search field: display name or login name contains a text, ignoring case. */
export function quickSearchIn(filters: Filters): InSight<string> | undefined {
  return firstIn(filters, quickTextOf);
}

export function quickSearchFor(text: string): AuthorizationsSearchFilter {
  return asFilter({
    case: "anyOf",
    value: {
      filters: [
        { filter: { case: "userDisplayName", value: { displayName: text, method } } },
        { filter: { case: "userPreferredLoginName", value: { loginName: text, method } } },
      ],
    },
  });
}

/** The filters with another text in the search field; an empty text removes that filter. */
export function withQuickSearch(filters: Filters, text: string): Filters {
  return placed(filters, quickSearchIn(filters)?.index, text === "" ? undefined : quickSearchFor(text));
}

/** The first filter by state. */
export function quickStateIn(filters: Filters): InSight<State> | undefined {
  return firstIn(filters, ({ filter }) =>
    filter.case === "state" && filter.value.state !== State.UNSPECIFIED ? filter.value.state : undefined,
  );
}

/** The filters with another state; undefined for all states. */
export function withQuickState(filters: Filters, state: State | undefined): Filters {
  const filter = state === undefined ? undefined : asFilter({ case: "state", value: { state } });
  return placed(filters, quickStateIn(filters)?.index, filter);
}

/** The text of the search field's filter; undefined for other filters. */
function quickTextOf({ filter }: AuthorizationsSearchFilter): string | undefined {
  if (filter.case !== "anyOf" || filter.value.filters.length !== 2) return undefined;
  const pair = filter.value.filters.map(({ filter: part }) => part);
  const name = pair.find((part) => part.case === "userDisplayName")?.value;
  const login = pair.find((part) => part.case === "userPreferredLoginName")?.value;
  const isQuick = name?.method === method && login?.method === method && name.displayName === login.loginName;
  return isQuick ? name.displayName || undefined : undefined;
}

function firstIn<Content>(
  filters: Filters,
  contentOf: (filter: AuthorizationsSearchFilter) => Content | undefined,
): InSight<Content> | undefined {
  for (const [index, filter] of filters.entries()) {
    const content = contentOf(filter);
    if (content !== undefined) return { index, content };
  }
  return undefined;
}

/** The list with the filter in its place, or at the front if it is new, or without it if it was removed. */
function placed(filters: Filters, index: number | undefined, filter: AuthorizationsSearchFilter | undefined): Filters {
  const rest = filters.filter((_, place) => place !== index);
  return filter === undefined ? rest : rest.toSpliced(index ?? 0, 0, filter);
}
