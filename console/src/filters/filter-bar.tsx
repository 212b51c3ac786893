import type { AuthorizationsSearchFilter } from "@authorization-service/client";
import { lazy } from "react";
import { filterWords } from "../words/filters.ts";
import { ChipBar } from "./chip-bar.tsx";
import { countOf, mostFilters } from "./content.ts";
import { quickSearchIn, withQuickSearch } from "./quick-filters.ts";
import { QuickSearch } from "./quick-search.tsx";

const Editor = lazy(async () => ({
  default: (await import("./editor/assignment-filter-editor.tsx")).AssignmentFilterEditor,
}));
// The messages of look-ups come with it.
const FilterWords = lazy(async () => ({ default: (await import("./filter-words.tsx")).FilterWords }));

type Props = {
  filters: readonly AuthorizationsSearchFilter[];
  /** With `replace`, going back skips the filters of before: they were being typed. */
  onChange: (filters: readonly AuthorizationsSearchFilter[], how?: { replace: boolean }) => void;
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
