import { useId } from "react";
import { useProblem } from "../filters/editor/problem.tsx";
import { RangeEnds } from "../filters/editor/range-form.tsx";
import { inAddress } from "../filters/moments.ts";
import { EverOrganizationPicker, EverProjectPicker, EverUserPicker } from "../pickers/things.tsx";
import { filterWords } from "../words/filters.ts";
import { historyWords } from "../words/history.ts";
import type { HistoryFilter } from "./filters.ts";
import { useOrganization, useProject, useUser } from "./picked.ts";
import { rangeInWords, rangeOf } from "./range.ts";
import type { ChangedFilters, HistoryKind, Preset } from "./search.ts";

const words = historyWords.filters;

type FieldProps = {
  changed: ChangedFilters;
  problem: string | undefined;
  onChange: (changed: ChangedFilters) => void;
};

/** The fields of a filter of the history. */
export function HistoryFilterForm(props: Omit<FieldProps, "changed"> & { filter: HistoryFilter }) {
  const { filter, problem, onChange } = props;
  const { name, changed } = filter;
  const actor = useUser(changed.actor);
  const project = useProject(changed.project);
  const organization = useOrganization(changed.organization);
  const field = { label: words.names[name], problem };
  switch (name) {
    case "what":
      return <What problem={problem} changed={changed} onChange={onChange} />;
    case "actor":
      return (
        <div className="stack">
          <EverUserPicker {...field} value={actor} onChange={(picked) => onChange({ actor: picked?.id })} />
          <label>
            <input
              type="checkbox"
              checked={changed.actor === ""}
              onChange={({ target }) => onChange({ actor: target.checked ? "" : undefined })}
            />
            {historyWords.commandLine}
          </label>
        </div>
      );
    case "project":
      return (
        <EverProjectPicker
          {...field}
          value={project}
          // A role is one of a project.
          onChange={(picked) => onChange({ project: picked?.id, role: undefined })}
        />
      );
    case "organization":
      return (
        <EverOrganizationPicker
          {...field}
          value={organization}
          onChange={(picked) => onChange({ organization: picked?.id })}
        />
      );
    case "when":
      return <When problem={problem} changed={changed} onChange={onChange} />;
    case "assignment":
      return <AssignmentId problem={problem} changed={changed} onChange={onChange} />;
  }
}

function AssignmentId({ changed, problem, onChange }: FieldProps) {
  const { state, shown } = useProblem(problem);
  return (
    <div className="stack">
      <label className="field">
        {filterWords.kinds.authorizationIds.subject}
        <input
          {...state}
          autoComplete="off"
          spellCheck={false}
          value={changed.assignment ?? ""}
          onChange={({ target }) => onChange({ assignment: target.value.trim() || undefined })}
        />
      </label>
      {shown}
    </div>
  );
}

/** Days relative to today, or a range of times. */
function When({ changed, problem, onChange }: FieldProps) {
  const hint = useId();
  const range = rangeOf(changed, new Date());
  const ends = ({ from, to }: typeof range) => ({ when: undefined, from: inAddress(from), to: inAddress(to) });
  return (
    <div className="stack">
      <label className="field">
        {words.names.when}
        <select
          value={changed.when ?? ""}
          aria-describedby={hint}
          // A range of one's own starts with the previous choice.
          onChange={({ target }) => onChange(target.value ? { when: target.value as Preset } : ends(range))}
        >
          {Object.entries(historyWords.presets).map(([preset, name]) => (
            <option key={preset} value={preset}>
              {name}
            </option>
          ))}
          <option value="">{words.custom}</option>
        </select>
      </label>
      <span id={hint} className="hint" aria-live="polite">
        {rangeInWords(range)}
      </span>
      {!changed.when && <RangeEnds range={range} problem={problem} onChange={(next) => onChange(ends(next))} />}
    </div>
  );
}

/** What happened to assignments, and what kinds of things of the directory changed. */
function What({ changed: { kind, types = [], kinds = [] }, problem, onChange }: FieldProps) {
  const { state, shown } = useProblem(problem);
  return (
    <div className="stack">
      <label className="field">
        {words.kind}
        <select
          {...state}
          value={kind ?? ""}
          onChange={({ target }) => onChange({ kind: (target.value || undefined) as HistoryKind | undefined })}
        >
          <option value="">{words.anyKind}</option>
          {Object.entries(historyWords.ofKind).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {kind !== "directory" && (
        <Boxes
          legend={words.typesOf}
          names={historyWords.types}
          ticked={types}
          onChange={(next) => onChange({ types: next })}
        />
      )}
      {kind !== "assignments" && (
        <Boxes
          legend={words.kindsOf}
          names={historyWords.kinds}
          ticked={kinds}
          onChange={(next) => onChange({ kinds: next })}
        />
      )}
      {shown}
    </div>
  );
}

function Boxes<Name extends string>({
  legend,
  names,
  ticked,
  onChange,
}: {
  legend: string;
  names: Readonly<Record<Name, string>>;
  ticked: readonly Name[];
  onChange: (ticked: readonly Name[]) => void;
}) {
  return (
    <fieldset className="line">
      <legend>{legend}</legend>
      {(Object.entries(names) as [Name, string][]).map(([name, text]) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={ticked.includes(name)}
            onChange={({ target }) =>
              onChange(target.checked ? [...ticked, name] : ticked.filter((one) => one !== name))
            }
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}
