import { lazy } from "react";
import { ChipBar } from "../filters/chip-bar.tsx";
import { EverUserPicker } from "../pickers/things.tsx";
import { filterWords } from "../words/filters.ts";
import { historyWords } from "../words/history.ts";
import { FilterWords } from "./filter-words.tsx";
import { filterNames, filtersIn, withOne } from "./filters.ts";
import { useUser } from "./picked.ts";
import { type HistorySearch, isFiltered, withFilter } from "./search.ts";

const Editor = lazy(async () => ({ default: (await import("./history-filter-editor.tsx")).HistoryFilterEditor }));

type Props = { search: HistorySearch; onChange: (search: HistorySearch) => void };

/** The filters of the history: whom the changes are about, and the others as chips. */
export function HistoryFilters({ search, onChange }: Props) {
  const user = useUser(search.user);
  const filters = filtersIn(search);
  return (
    <ChipBar
      chips={filters.map((filter, index) => ({ index, words: <FilterWords filter={filter} /> }))}
      full={filters.length === filterNames.length ? filterWords.full : undefined}
      onRemove={(index) => filters[index] && onChange(withOne(search, { ...filters[index], changed: {} }))}
      onRemoveAll={filters.length > 1 || (user && isFiltered(search)) ? () => onChange({}) : undefined}
      editor={({ index, close }) => (
        <Editor
          filter={index === undefined ? undefined : filters[index]}
          inUse={filters.map(({ name }) => name)}
          onApply={(filter) => onChange(withOne(search, filter))}
          onClose={close}
        />
      )}
    >
      <EverUserPicker
        label={historyWords.filters.about}
        value={user}
        onChange={(picked) => onChange(withFilter(search, { user: picked?.id }))}
      />
    </ChipBar>
  );
}
