import { ChipBar } from "../filters/chip-bar.tsx";
import { FilterEditor } from "../filters/editor/filter-editor.tsx";
import { type Preset, presets } from "../filters/editor/range-form.tsx";
import { inAddress } from "../filters/moments.ts";
import { EverUserPicker } from "../pickers/things.tsx";
import { filterEditorWords } from "../words/filter-editor.ts";
import { filterWords } from "../words/filters.ts";
import { historyWords } from "../words/history.ts";
import { type FilterName, filterKinds } from "./filter-kinds.tsx";
import { useUser } from "./removals.ts";
import { type ChangedFilters, type HistorySearch, isFiltered, withFilter } from "./search.ts";

const { names, about } = historyWords.filters;
const { presets: usual } = filterEditorWords;

/** A filter with the parameters that it changes. */
type HistoryFilter = { readonly name: FilterName; readonly changed: ChangedFilters };

const all = Object.keys(names) as readonly FilterName[];

/** What is only about the other history than the chosen one. */
const noneOfOther = {
  assignments: { kinds: undefined, role: undefined },
  directory: { types: undefined, assignment: undefined },
};

/** The filters of the history: fields for whom and when, and the others as chips, each of which is there once. */
export function HistoryFilters(props: { search: HistorySearch; onChange: (search: HistorySearch) => void }) {
  const { search, onChange } = props;
  const user = useUser(search.user);
  const filters: HistoryFilter[] = all
    .map((name) => ({ name, changed: parametersOf(name, search) }))
    .filter(({ changed }) => Object.values(changed).some((value) => value !== undefined));
  const left = all.filter((name) => !filters.some((filter) => filter.name === name));
  const apply = ({ name, changed }: HistoryFilter) =>
    onChange(
      withFilter(search, {
        ...parametersOf(name, {}),
        ...changed,
        ...(changed.kind && noneOfOther[changed.kind]),
      }),
    );
  const problemOf = ({ name, changed }: HistoryFilter) => filterKinds[name].problemOf(changed);
  return (
    <ChipBar
      chips={filters.map(({ name, changed }, index) => {
        const { Words } = filterKinds[name];
        return { index, words: <Words changed={changed} /> };
      })}
      full={left.length === 0 ? filterWords.full : undefined}
      onRemove={(index) => filters[index] && apply({ name: filters[index].name, changed: {} })}
      onRemoveAll={filters.length > 1 || (user && isFiltered(search)) ? () => onChange({}) : undefined}
      editor={({ index, close }) => (
        <FilterEditor<HistoryFilter, FilterName>
          filter={index === undefined ? undefined : filters[index]}
          groups={[{ kinds: left.map((name) => [name, names[name]]) }]}
          newFilter={(name) => ({ name, changed: {} })}
          kindOf={({ name }) => name}
          subjectOf={(name) => names[name]}
          // The field says what.
          problemOf={(filter) => problemOf(filter) && filterWords.problems.fix}
          fields={(filter, isTold, onEdit) => {
            const { Form } = filterKinds[filter.name];
            return (
              <Form
                changed={filter.changed}
                problem={isTold ? problemOf(filter) : undefined}
                onChange={(changed) => onEdit({ ...filter, changed })}
              />
            );
          }}
          onApply={apply}
          onClose={close}
        />
      )}
    >
      <EverUserPicker
        label={about}
        value={user}
        onChange={(picked) => onChange(withFilter(search, { user: picked?.id }))}
      />
      {/* It keeps its name: the chip says what is chosen. */}
      <select
        aria-label={names.when}
        value=""
        onChange={({ target }) => onChange(withFilter(search, inAddress(presets[target.value as Preset](new Date()))))}
      >
        {[["", names.when] as const, ...Object.entries(usual)].map(([preset, name]) => (
          <option key={preset} value={preset} hidden={preset === ""}>
            {name}
          </option>
        ))}
      </select>
    </ChipBar>
  );
}

/** The parameters of a filter, as an address has them. */
function parametersOf(name: FilterName, search: HistorySearch): ChangedFilters {
  return Object.fromEntries(filterKinds[name].parameters.map((parameter) => [parameter, search[parameter]]));
}
