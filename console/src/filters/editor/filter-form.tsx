import {
  type AuthorizationsSearchFilter,
  AuthorizationsSearchFilterSchema,
  State,
  type TextFilterMethod,
} from "@authorization-service/client";
import { create } from "@bufbuild/protobuf";
import { filterEditorWords as words } from "../../words/filter-editor.ts";
import { filterWords } from "../../words/filters.ts";
import { contentOf, groupOf, groups, type Kind, kindNames, newFilter } from "../content.ts";
import { methodNames, stateNames } from "../filter-words.tsx";
import { mayStandAt, problemOf, problemOfAll } from "../limits.ts";
import { FilterEditor } from "./filter-editor.tsx";
import { useProblem } from "./problem.tsx";
import { RangeForm } from "./range-form.tsx";
import { GrantForm, ListForm, ThingForm } from "./thing-forms.tsx";

type EditorProps = {
  filter: AuthorizationsSearchFilter | undefined;
  /** How many filters it may consist of, including nested ones. */
  room: number;
  onApply: (filter: AuthorizationsSearchFilter) => void;
  onClose: () => void;
};

/** Edits a filter of assignments. */
export function AssignmentFilterEditor({ room, ...props }: EditorProps) {
  return (
    <FilterEditor
      {...props}
      groups={groupsAt(1)}
      newFilter={newFilter}
      kindOf={({ filter }) => filter.case}
      subjectOf={(kind) => filterWords.kinds[kind].subject}
      problemOf={(filter) => problemOfAll(filter, room)}
      fields={(filter, isTold, onChange) => (
        <FilterForm filter={filter} depth={1} isTold={isTold} onChange={onChange} />
      )}
    />
  );
}

type Props = {
  filter: AuthorizationsSearchFilter;
  onChange: (filter: AuthorizationsSearchFilter) => void;
  /** The depth of the filter: 1 outside of groups. */
  depth: number;
  /** Whether to show what is missing or wrong. */
  isTold: boolean;
};

/** The fields of a filter. A group has the fields of all filters in it. */
function FilterForm({ filter, onChange, depth, isTold }: Props) {
  const content = contentOf(filter);
  const problem = isTold ? problemOf(filter) : undefined;
  const { state, shown } = useProblem(problem);
  if (content === undefined) return null;
  const { subject } = filterWords.kinds[content.kind];
  const member = { depth: depth + 1, isTold };
  switch (content.shape) {
    case "text": {
      const { value, method, having } = content;
      return (
        <div className="stack">
          <div className="line text-form">
            <select
              aria-label={words.comparison(subject)}
              value={method}
              onChange={({ target }) => onChange(having(value, Number(target.value) as TextFilterMethod))}
            >
              {[...methodNames].map(([one, name]) => (
                <option key={one} value={one}>
                  {name}
                </option>
              ))}
            </select>
            <input
              aria-label={subject}
              {...state}
              autoComplete="off"
              spellCheck={false}
              value={value}
              onChange={({ target }) => onChange(having(target.value))}
            />
          </div>
          {shown}
        </div>
      );
    }
    case "id":
      return (
        <ThingForm
          {...{ of: content.of, label: subject, problem, isOne: true }}
          value={content.value === "" ? [] : [content.value]}
          onChange={([id = ""]) => onChange(content.having(id))}
        />
      );
    case "grant":
      return <GrantForm value={content.value} onChange={(id) => onChange(content.having(id))} />;
    case "list": {
      const { of, value, having } = content;
      return <ListForm {...{ of, value, problem }} onChange={(list) => onChange(having(list))} />;
    }
    case "state":
      return (
        <fieldset className="line">
          <legend>{filterWords.state}</legend>
          {[State.ACTIVE, State.INACTIVE].map((one) => (
            <label key={one}>
              <input
                type="radio"
                checked={content.value === one}
                onChange={() => onChange(content.having(one))}
                {...state}
              />
              {stateNames[one]}
            </label>
          ))}
          {shown}
        </fieldset>
      );
    case "range":
      return (
        <RangeForm
          {...{ range: content.value, problem, isAhead: content.kind === "expires" }}
          onChange={(range) => onChange(content.having(range))}
        />
      );
    case "several": {
      const { kind, value, having } = content;
      return (
        <div className="stack filter-group">
          <ul className="stack" aria-label={kind === "anyOf" ? words.anyOfThese : words.allOfThese}>
            {value.map((one, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a filter has no identity but its place.
              <li key={place}>
                <MemberForm
                  {...{ ...member, name: words.filter(place + 1), filter: one }}
                  onChange={(changed) => onChange(having(value.with(place, changed)))}
                  onRemove={() => onChange(having(value.toSpliced(place, 1)))}
                />
              </li>
            ))}
          </ul>
          <button
            type="button"
            {...state}
            onClick={() => onChange(having([...value, create(AuthorizationsSearchFilterSchema)]))}
          >
            {value.length === 0 ? words.addFirst : words.addAnother}
          </button>
          {shown}
        </div>
      );
    }
    case "not":
      return (
        <MemberForm
          {...{ ...member, name: words.not, filter: content.value }}
          onChange={(changed) => onChange(content.having(changed))}
        />
      );
  }
}

/** A filter in a group, with a choice of its kind. */
function MemberForm({ name, onRemove, ...props }: Props & { name: string; onRemove?: () => void }) {
  const { filter, onChange, depth, isTold } = props;
  const kind = filter.filter.case;
  const { state, shown } = useProblem(isTold && kind === undefined ? problemOf(filter) : undefined);
  return (
    <fieldset className="stack member" aria-label={name}>
      <div className="line member-kind">
        <select
          aria-label={words.whatBy(name)}
          {...state}
          value={kind ?? ""}
          onChange={({ target }) => onChange(newFilter(target.value as Kind))}
        >
          {kind === undefined && <option value="">{words.choose}</option>}
          {groupsAt(depth, kind).map((group) => (
            <optgroup key={group.name} label={group.name}>
              {group.kinds.map(([one, label]) => (
                <option key={one} value={one}>
                  {label}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
        {onRemove && (
          <button type="button" onClick={onRemove} aria-label={words.removeOf(name)}>
            {filterWords.remove}
          </button>
        )}
      </div>
      {shown}
      {/* Another kind has fields of its own. */}
      <FilterForm key={kind} {...props} />
    </fieldset>
  );
}

/** The kinds that are allowed at a depth, and the chosen one, by group. */
function groupsAt(depth: number, chosen?: Kind) {
  return groups
    .map((group) => ({
      name: filterWords.groups[group],
      kinds: kindNames
        .filter((kind) => groupOf(kind) === group && (kind === chosen || mayStandAt(depth, kind)))
        .map((kind) => [kind, filterWords.kinds[kind].name] as const),
    }))
    .filter(({ kinds }) => kinds.length > 0);
}
