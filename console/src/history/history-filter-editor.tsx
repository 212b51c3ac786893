import { FilterEditor } from "../filters/editor/filter-editor.tsx";
import { filterWords } from "../words/filters.ts";
import { historyWords } from "../words/history.ts";
import { HistoryFilterForm } from "./filter-form.tsx";
import { type FilterName, filterNames, type HistoryFilter, newFilter, problemOf } from "./filters.ts";

const { names } = historyWords.filters;

type Props = {
  filter: HistoryFilter | undefined;
  /** Each filter is there once. */
  inUse: readonly FilterName[];
  onApply: (filter: HistoryFilter) => void;
  onClose: () => void;
};

/** Edits a filter of the history. */
export function HistoryFilterEditor({ inUse, ...props }: Props) {
  const left = filterNames.filter((name) => !inUse.includes(name));
  return (
    <FilterEditor
      {...props}
      groups={[{ kinds: left.map((name) => [name, names[name]]) }]}
      newFilter={newFilter}
      kindOf={({ name }) => name}
      subjectOf={(name) => names[name]}
      // The field says what.
      problemOf={(filter) => problemOf(filter) && filterWords.problems.fix}
      fields={(filter, isTold, onChange) => (
        <HistoryFilterForm
          filter={filter}
          problem={isTold ? problemOf(filter) : undefined}
          onChange={(changed) => onChange({ ...filter, changed: { ...filter.changed, ...changed } })}
        />
      )}
    />
  );
}
