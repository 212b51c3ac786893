import type { ComponentType } from "react";
import { useProblem } from "../filters/editor/problem.tsx";
import { RangeForm } from "../filters/editor/range-form.tsx";
import { rangeWords } from "../filters/filter-words.tsx";
import { problemOfRange } from "../filters/limits.ts";
import { inAddress } from "../filters/moments.ts";
import { nameOf } from "../parts/role-chips.tsx";
import type { PickerProps } from "../pickers/picker.tsx";
import { EverOrganizationPicker, EverProjectPicker, EverUserPicker } from "../pickers/things.tsx";
import { filterWords } from "../words/filters.ts";
import { historyWords } from "../words/history.ts";
import { type Ever, useOrganization, useProject, useUser } from "./removals.ts";
import { type ChangedFilters, type HistoryKind, type HistorySearch, rangeOf } from "./search.ts";

const words = historyWords.filters;
const { problems } = filterWords;
const { of, comma } = filterWords.inWords;

export type FilterName = keyof typeof words.names;

type FormProps = {
  changed: ChangedFilters;
  problem: string | undefined;
  onChange: (changed: ChangedFilters) => void;
};

type Kind = {
  /** Its parameters of the address. */
  readonly parameters: readonly (keyof HistorySearch)[];
  /** What is missing or wrong. */
  readonly problemOf: (changed: ChangedFilters) => string | undefined;
  /** The filter in words, such as “Who did it: Carol”. */
  readonly Words: ComponentType<{ changed: ChangedFilters }>;
  readonly Form: ComponentType<FormProps>;
};

const person = thing("actor", useUser, EverUserPicker, problems.pick.user);
const project = thing("project", useProject, EverProjectPicker, problems.pick.project);

/** What the history can be filtered by, beside whom the changes are about. */
export const filterKinds: Readonly<Record<FilterName, Kind>> = {
  what: {
    parameters: ["kind", "types", "kinds"],
    problemOf: ({ kind, types = [], kinds = [] }) =>
      kind === undefined && types.length + kinds.length === 0 ? problems.noKind : undefined,
    Words: ({ changed }) => of(words.names.what) + happened(changed).join(comma),
    Form: What,
  },
  actor: {
    ...person,
    Words: ({ changed }) =>
      changed.actor === "" ? of(words.names.actor) + historyWords.commandLine : <person.Words changed={changed} />,
    Form: (props) => (
      <div className="stack">
        <person.Form {...props} />
        <label>
          <input
            type="checkbox"
            checked={props.changed.actor === ""}
            onChange={({ target }) => props.onChange({ actor: target.checked ? "" : undefined })}
          />
          {historyWords.commandLine}
        </label>
      </div>
    ),
  },
  // A role is one of a project.
  project: {
    ...project,
    parameters: ["project", "role"],
    problemOf: (changed) => (changed.role === undefined ? project.problemOf(changed) : undefined),
    Words: ({ changed }) => (
      <>
        {changed.project !== undefined && <project.Words changed={changed} />}
        {changed.role !== undefined && <RoleWords project={changed.project} role={changed.role} />}
      </>
    ),
  },
  organization: thing("organization", useOrganization, EverOrganizationPicker, problems.pick.organization),
  when: {
    parameters: ["from", "to"],
    problemOf: (changed) => problemOfRange(rangeOf(changed)),
    Words: ({ changed }) => of(words.names.when) + rangeWords(rangeOf(changed)).trim(),
    Form: ({ changed, problem, onChange }) => (
      <RangeForm
        isAhead={false}
        range={rangeOf(changed)}
        problem={problem}
        onChange={(range) => onChange(inAddress(range))}
      />
    ),
  },
  assignment: {
    parameters: ["assignment"],
    problemOf: ({ assignment }) => (assignment ? undefined : problems.noText),
    Words: () => words.oneAssignment,
    Form: AssignmentId,
  },
};

type Picked = Ever<{ readonly id: string; readonly name?: string; readonly displayName?: string }> & {
  readonly preferredLoginName?: string;
};

/** A filter by one thing, which may be gone. */
function thing<Item extends Picked>(
  name: "actor" | "project" | "organization",
  usePicked: (id: string | undefined) => Item | undefined,
  Picker: ComponentType<PickerProps<Item>>,
  problem: string,
): Kind {
  return {
    parameters: [name],
    problemOf: (changed) => (changed[name] === undefined ? problem : undefined),
    Words: ({ changed }) => <Named label={words.names[name]} of={usePicked(changed[name])} />,
    Form: ({ changed, problem, onChange }) => (
      <Picker
        label={words.names[name]}
        problem={problem}
        value={usePicked(changed[name])}
        onChange={(picked) => onChange({ [name]: picked?.id })}
      />
    ),
  };
}

/** While the name is asked for, neither it nor the id, which would look like the name. */
function Named({ label, of: picked }: { label: string; of: Picked | undefined }) {
  const { id, name, displayName, preferredLoginName } = picked ?? {};
  return (
    <>
      {of(label)}
      <bdi>{picked?.isAsked ? "…" : name || displayName || preferredLoginName || id}</bdi>
    </>
  );
}

function RoleWords({ project, role }: { project: string | undefined; role: string }) {
  const known = useProject(project)?.roles.find(({ key }) => key === role);
  return (
    <>
      {comma + of(words.role)}
      <bdi>{known ? nameOf(known) : role}</bdi>
    </>
  );
}

function happened({ kind, types = [], kinds = [] }: ChangedFilters): readonly string[] {
  if (kind && types.length + kinds.length === 0) return [historyWords.ofKind[kind]];
  return [...types.map((type) => historyWords.types[type]), ...kinds.map((one) => historyWords.kinds[one])];
}

function AssignmentId({ changed, problem, onChange }: FormProps) {
  const { state, shown } = useProblem(problem);
  return (
    <div className="stack">
      <label className="field">
        {words.names.assignment}
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

/** What happened to assignments, and what kinds of things of the directory changed. */
function What({ changed, problem, onChange }: FormProps) {
  const { kind } = changed;
  const { state, shown } = useProblem(problem);
  return (
    <div className="stack">
      <label className="field">
        {words.kind}
        <select
          {...state}
          value={kind ?? ""}
          onChange={({ target }) =>
            onChange({ ...changed, kind: (target.value || undefined) as HistoryKind | undefined })
          }
        >
          <option value="">{words.anyKind}</option>
          {Object.entries(historyWords.ofKind).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {kind !== "directory" && <Boxes name="types" legend={words.typesOf} changed={changed} onChange={onChange} />}
      {kind !== "assignments" && <Boxes name="kinds" legend={words.kindsOf} changed={changed} onChange={onChange} />}
      {shown}
    </div>
  );
}

type BoxesProps = Omit<FormProps, "problem"> & { name: "types" | "kinds"; legend: string };

function Boxes({ name, legend, changed, onChange }: BoxesProps) {
  const ticked: readonly string[] = changed[name] ?? [];
  return (
    <fieldset className="line">
      <legend>{legend}</legend>
      {Object.entries(historyWords[name]).map(([value, text]) => (
        <label key={value}>
          <input
            type="checkbox"
            checked={ticked.includes(value)}
            onChange={({ target: { checked } }) =>
              onChange({ ...changed, [name]: checked ? [...ticked, value] : ticked.filter((one) => one !== value) })
            }
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}
