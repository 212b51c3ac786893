import { type AuthorizationsSearchFilter, AuthorizationsSearchFilterSchema } from "@authorization-service/client";
import { create } from "@bufbuild/protobuf";
import { filterEditorWords } from "../../words/filter-editor.ts";
import { filterWords } from "../../words/filters.ts";
import { contentOf, countOf, type Group, groupOf, groups, type Kind, kindNames, newFilter } from "../content.ts";
import { mayStandAt, problemOf } from "../limits.ts";
import { FilterForm } from "./filter-form.tsx";
import { useProblem } from "./problem.tsx";

const words = filterEditorWords;

type Props = {
  filter: AuthorizationsSearchFilter;
  onChange: (filter: AuthorizationsSearchFilter) => void;
  /** The depth of the filter: 1 outside of groups. */
  depth: number;
  /** How many filters it may consist of, including nested ones. */
  room: number;
  /** Whether to show what is missing or wrong. */
  isTold: boolean;
};

/** The fields of any filter. A group has the fields of all filters in it. */
export function AnyFilterForm(props: Props) {
  const content = contentOf(props.filter);
  if (content?.shape === "several") return <SeveralForm {...props} content={content} />;
  if (content?.shape !== "not") return <FilterForm {...props} />;
  return (
    <MemberForm
      {...props}
      name={words.not}
      filter={content.filter}
      depth={props.depth + 1}
      room={props.room - 1}
      onChange={(filter) => props.onChange(content.having(filter))}
    />
  );
}

type Several = Extract<NonNullable<ReturnType<typeof contentOf>>, { shape: "several" }>;

function SeveralForm({ filter, content, onChange, depth, room, isTold }: Props & { content: Several }) {
  const { filters, having } = content;
  const { state, shown } = useProblem(isTold ? problemOf(filter) : undefined);
  const free = room - countOf([filter]);
  return (
    <div className="stack">
      <ul className="stack" aria-label={filter.filter.case === "anyOf" ? words.anyOfThese : words.allOfThese}>
        {filters.map((member, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a filter has no identity but its place.
          <li key={place}>
            <MemberForm
              name={words.filter(place + 1)}
              filter={member}
              depth={depth + 1}
              room={free + countOf([member])}
              isTold={isTold}
              onChange={(changed) => onChange(having(filters.with(place, changed)))}
              onRemove={() => onChange(having(filters.toSpliced(place, 1)))}
            />
          </li>
        ))}
      </ul>
      <button
        type="button"
        className="mode"
        disabled={free < 1}
        {...state}
        onClick={() => onChange(having([...filters, create(AuthorizationsSearchFilterSchema)]))}
      >
        {filters.length === 0 ? words.addFirst : words.addAnother}
      </button>
      {shown}
    </div>
  );
}

type MemberProps = Props & { name: string; onRemove?: () => void };

/** A filter in a group, with a choice of its kind. */
function MemberForm({ name, onRemove, ...props }: MemberProps) {
  const { filter, onChange, depth, room, isTold } = props;
  const kind = filter.filter.case;
  const { state, shown } = useProblem(isTold && kind === undefined ? problemOf(filter) : undefined);
  return (
    <fieldset className="stack member" aria-label={name}>
      <div className="member-kind">
        <select
          aria-label={words.whatBy(name)}
          {...state}
          value={kind ?? ""}
          onChange={({ target }) => onChange(newFilter(target.value as Kind))}
        >
          {kind === undefined && <option value="">{words.choose}</option>}
          {groups.map((group) => (
            <KindOptions key={group} group={group} chosen={kind} depth={depth} room={room} />
          ))}
        </select>
        {onRemove && (
          <button type="button" onClick={onRemove} aria-label={words.removeOf(name)}>
            {filterWords.remove}
          </button>
        )}
      </div>
      {shown}
      {/* Another kind begins anew. */}
      <AnyFilterForm key={kind} {...props} />
    </fieldset>
  );
}

type KindOptionsProps = { group: Group; chosen: Kind | undefined; depth: number; room: number };

/** The kinds of a group that are allowed at this depth. */
function KindOptions({ group, chosen, depth, room }: KindOptionsProps) {
  const offered = kindNames.filter(
    (kind) =>
      groupOf(kind) === group && (kind === chosen || (mayStandAt(depth, kind) && (group !== "groups" || room > 1))),
  );
  if (offered.length === 0) return null;
  return (
    <optgroup label={filterWords.groups[group]}>
      {offered.map((kind) => (
        <option key={kind} value={kind}>
          {filterWords.kinds[kind].name}
        </option>
      ))}
    </optgroup>
  );
}
