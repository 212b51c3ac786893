import "./filters.css";
import { type AuthorizationsSearchFilter, State } from "@authorization-service/client";
import { SlidersHorizontal } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { filterWords } from "../words/filters.ts";
import { countOf } from "./count.ts";
import { mostFilters } from "./kinds.ts";
import { quickSearchIn, quickStateIn, withQuickSearch, withQuickState } from "./quick-filters.ts";
import { QuickSearch } from "./quick-search.tsx";

const loadEditor = () => import("./editor/filter-editor.tsx");
const FilterEditor = lazy(async () => ({ default: (await loadEditor()).FilterEditor }));
// Not with the first view, which often has none.
const FilterChips = lazy(async () => ({ default: (await import("./filter-chips.tsx")).FilterChips }));
const preloadEditor = () => void loadEditor().catch(() => undefined);

type Props = {
  filters: readonly AuthorizationsSearchFilter[];
  /** Whether this change continues the previous one, so going back skips that one. */
  onChange: (filters: readonly AuthorizationsSearchFilter[], how?: { continues: boolean }) => void;
  /** Whether the filter by state has a field of its own. Otherwise it is a chip like the others. */
  hasStateField?: boolean;
};

/** The active filters, and controls to change them. */
export function FilterBar({ filters, onChange, hasStateField = true }: Props) {
  /**
   * The index of the filter that is edited, after the last one for a new one, and the element that opened the editor.
   */
  const [edited, setEdited] = useState<{ index: number; opener: HTMLElement }>();
  const addButton = useRef<HTMLButtonElement>(null);
  const search = quickSearchIn(filters);
  const state = hasStateField ? quickStateIn(filters) : undefined;
  const room = mostFilters - countOf(filters);
  const chips = filters
    .map((filter, index) => ({ filter, index }))
    .filter(({ index }) => index !== search?.index && index !== state?.index);

  // They move the focus when the last one is removed, so they stay.
  const [hadChips, setHadChips] = useState(false);
  if (chips.length > 0 && !hadChips) setHadChips(true);

  return (
    <search className="line filter-bar" aria-label={filterWords.label}>
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
      <button
        ref={addButton}
        type="button"
        aria-haspopup="dialog"
        onClick={({ currentTarget }) => setEdited({ index: filters.length, opener: currentTarget })}
        onPointerEnter={preloadEditor}
        onFocus={preloadEditor}
        disabled={room < 1}
        title={room < 1 ? filterWords.atMost(mostFilters) : filterWords.more}
      >
        <SlidersHorizontal aria-hidden="true" />
        <span className="tool-label">{filterWords.more}</span>
      </button>
      {(chips.length > 0 || hadChips) && (
        <Suspense>
          <FilterChips
            chips={chips}
            onEdit={(index, opener) => setEdited({ index, opener })}
            onPreload={preloadEditor}
            onRemove={(index) => onChange(filters.toSpliced(index, 1))}
            onRemoveAll={filters.length > 1 ? () => onChange([]) : undefined}
            after={addButton}
          />
        </Suspense>
      )}
      {edited !== undefined && (
        <Suspense>
          <FilterEditor
            filter={filters[edited.index]}
            room={room + countOf(filters.slice(edited.index, edited.index + 1))}
            opener={edited.opener}
            onApply={(filter) => onChange(filters.toSpliced(edited.index, 1, filter))}
            onClose={() => setEdited(undefined)}
          />
        </Suspense>
      )}
    </search>
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
