import { type AuthorizationsSearchFilter, State } from "@authorization-service/client";
import { lazy } from "react";
import { filterWords } from "../words/filters.ts";
import { ChipBar } from "./chip-bar.tsx";
import { countOf } from "./count.ts";
import { mostFilters } from "./kinds.ts";
import { quickSearchIn, quickStateIn, withQuickSearch, withQuickState } from "./quick-filters.ts";
import { QuickSearch } from "./quick-search.tsx";

const loadEditor = () => import("./editor/assignment-filter-editor.tsx");
const Editor = lazy(async () => ({ default: (await loadEditor()).AssignmentFilterEditor }));
// The messages of look-ups come with it.
const FilterWords = lazy(async () => ({ default: (await import("./filter-words.tsx")).FilterWords }));

type Props = {
  filters: readonly AuthorizationsSearchFilter[];
  /** Whether this change continues the previous one, so going back skips that one. */
  onChange: (filters: readonly AuthorizationsSearchFilter[], how?: { continues: boolean }) => void;
  /** Whether the filter by state has a field of its own. Otherwise it is a chip like the others. */
  hasStateField?: boolean;
};

/** The active filters of assignments, and controls to change them. */
export function FilterBar({ filters, onChange, hasStateField = true }: Props) {
  const search = quickSearchIn(filters);
  const state = hasStateField ? quickStateIn(filters) : undefined;
  const room = mostFilters - countOf(filters);
  const shown = filters
    .map((filter, index) => ({ filter, index }))
    .filter(({ index }) => index !== search?.index && index !== state?.index);
  const beside = shown.map(({ filter }) => filter);

  return (
    <ChipBar
      chips={shown.map(({ filter, index }) => ({ index, words: <FilterWords filter={filter} beside={beside} /> }))}
      full={room < 1 ? filterWords.atMost(mostFilters) : undefined}
      onRemove={(index) => onChange(filters.toSpliced(index, 1))}
      onRemoveAll={filters.length > 1 ? () => onChange([]) : undefined}
      onPreload={() => void loadEditor().catch(() => undefined)}
      editor={({ index = filters.length, opener, close }) => (
        <Editor
          filter={filters[index]}
          room={room + countOf(filters.slice(index, index + 1))}
          opener={opener}
          onApply={(filter) => onChange(filters.toSpliced(index, 1, filter))}
          onClose={close}
        />
      )}
    >
      <QuickSearch
        text={search?.content ?? ""}
        onChange={(text, how) => onChange(withQuickSearch(filters, text), how)}
        // This takes three filters: an "any of" with two.
        isFull={search === undefined && room < 3}
      />
      {hasStateField && (
        <QuickState
          state={state?.content}
          onChange={(chosen) => onChange(withQuickState(filters, chosen))}
          isFull={state === undefined && room < 1}
        />
      )}
    </ChipBar>
  );
}

type QuickStateProps = {
  state: State | undefined;
  onChange: (state: State | undefined) => void;
  isFull: boolean;
};

function QuickState({ state, onChange, isFull }: QuickStateProps) {
  return (
    <select
      aria-label={filterWords.state}
      value={state ?? ""}
      disabled={isFull}
      onChange={({ target }) => onChange(target.value === "" ? undefined : (Number(target.value) as State))}
    >
      <option value="">{filterWords.allStates}</option>
      <option value={State.ACTIVE}>{filterWords.active}</option>
      <option value={State.INACTIVE}>{filterWords.inactive}</option>
    </select>
  );
}
