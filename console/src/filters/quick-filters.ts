import { type AuthorizationsSearchFilter, TextFilterMethod } from "@authorization-service/client";
import { asFilter } from "./content.ts";

type Filters = readonly AuthorizationsSearchFilter[];

const method = TextFilterMethod.CONTAINS_IGNORE_CASE;

/** The text of the search field and the index of its filter: display name or login name contains it, ignoring case. */
export function quickSearchIn(filters: Filters): { readonly index: number; readonly content: string } | undefined {
  const index = filters.findIndex((filter) => quickTextOf(filter) !== undefined);
  const content = filters[index] && quickTextOf(filters[index]);
  return content === undefined ? undefined : { index, content };
}

function quickSearchFor(text: string): AuthorizationsSearchFilter {
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

/** The filters with another text in the search field: in its place, or at the front; an empty text removes that filter. */
export function withQuickSearch(filters: Filters, text: string): Filters {
  const index = quickSearchIn(filters)?.index;
  const rest = filters.filter((_, place) => place !== index);
  return text === "" ? rest : rest.toSpliced(index ?? 0, 0, quickSearchFor(text));
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
