import { type AuthorizationsSearchFilter, TextFilterMethod } from "@authorization-service/client";
import { lazy } from "react";
import { filterWords } from "../words/filters.ts";
import { ChipBar } from "./chip-bar.tsx";
import { asFilter, countOf, mostFilters } from "./content.ts";
import { QuickSearch } from "./quick-search.tsx";

const Editor = lazy(async () => ({
  default: (await import("./editor/filter-form.tsx")).AssignmentFilterEditor,
}));
// The messages of look-ups come with it.
const FilterWords = lazy(async () => ({ default: (await import("./filter-words.tsx")).FilterWords }));

type Filters = readonly AuthorizationsSearchFilter[];

type Props = {
  filters: Filters;
  /** With `replace`, going back skips the filters of before: they were being typed. */
  onChange: (filters: Filters, how?: { replace: boolean }) => void;
};

/** The active filters of assignments, and controls to change them. */
export function FilterBar({ filters, onChange }: Props) {
  const search = quickSearchIn(filters);
  const room = mostFilters - countOf(filters);
  const shown = filters.map((filter, index) => ({ filter, index })).filter(({ index }) => index !== search?.index);
  const beside = shown.map(({ filter }) => filter);

  return (
    <ChipBar
      chips={shown.map(({ filter, index }) => ({ index, words: <FilterWords filter={filter} beside={beside} /> }))}
      full={room < 1 ? filterWords.atMost(mostFilters) : undefined}
      onRemove={(index) => onChange(filters.toSpliced(index, 1))}
      onRemoveAll={filters.length > 1 ? () => onChange([]) : undefined}
      editor={({ index = filters.length, close }) => (
        <Editor
          filter={filters[index]}
          room={room + countOf(filters.slice(index, index + 1))}
          onApply={(filter) => onChange(filters.toSpliced(index, 1, filter))}
          onClose={close}
        />
      )}
    >
      <QuickSearch
        text={search?.content ?? ""}
        onChange={(text) => onChange(withQuickSearch(filters, text), { replace: search !== undefined })}
        // This takes three filters: an "any of" with two.
        isFull={search === undefined && room < 3}
      />
    </ChipBar>
  );
}

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
