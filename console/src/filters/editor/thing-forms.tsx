import type { ListedProject } from "@authorization-service/client/directory";
import { useId, useState } from "react";
import { unlistedOf } from "../../changes/offered-roles.ts";
import { RoleBoxes } from "../../changes/role-boxes.tsx";
import { type LookUp, lookUps } from "../../directory/look-ups.ts";
import { Picker, SeveralPicker } from "../../pickers/picker.tsx";
import { ProjectPicker, pickables } from "../../pickers/things.tsx";
import type { Pickable } from "../../pickers/use-search.ts";
import { filterEditorWords as words } from "../../words/filter-editor.ts";
import { Name } from "../filter-words.tsx";
import { useProblem } from "./problem.tsx";

type Thing = { readonly id: string };

type ThingProps = ListFieldProps & { of: keyof typeof pickables; isOne?: boolean };

/** A field for things by their ids. Its picker finds them by their names or ids. */
export function ThingForm({ of, isOne, value, onChange, ...field }: ThingProps) {
  const { useFound, bare } = lookUps[of] as unknown as LookUp<Thing>;
  // Those that were just picked are known. The service finds the others.
  const [picked, setPicked] = useState<readonly Thing[]>([]);
  const { items = [] } = useFound(value.filter((id) => !picked.some((thing) => thing.id === id)));
  const all = [...picked, ...items];
  const known = value.map((id) => all.find((thing) => thing.id === id) ?? bare(id));
  const shared = { ...field, pickable: pickables[of] as unknown as Pickable<Thing> };
  const pick = (things: readonly Thing[]) => {
    // Those without a name yet are looked up.
    setPicked(things.filter(({ id }) => !value.includes(id) || all.some((thing) => thing.id === id)));
    onChange(things.map(({ id }) => id));
  };
  return isOne ? (
    <Picker {...shared} value={known[0]} onChange={(thing) => pick(thing === undefined ? [] : [thing])} />
  ) : (
    <SeveralPicker {...shared} value={known} onChange={pick} />
  );
}

type ListProps = Omit<ListFieldProps, "label"> & { of: keyof typeof words.lists };

/** A field for several things, found by their names or given by their ids. Assignments have no names. */
export function ListForm({ of, ...props }: ListProps) {
  // It stays open while the problem is mended.
  const [isTyped, setTyped] = useState(false);
  if (props.problem !== undefined && !isTyped) setTyped(true);
  const ids = <ListField label={words.lists[of].ids} {...props} />;
  if (of === "assignment") return ids;
  return (
    <div className="stack">
      {of === "role" ? <RolesOfProject {...props} /> : <ThingForm of={of} label={words.lists[of].names} {...props} />}
      <details open={isTyped}>
        <summary>{words.typed}</summary>
        {ids}
      </details>
    </div>
  );
}

/** Role keys, picked from the roles of a project. */
function RolesOfProject({ value, problem, onChange }: Omit<ListFieldProps, "label">) {
  const [project, setProject] = useState<ListedProject>();
  return (
    <>
      <ProjectPicker label={words.rolesOfProject} value={project} problem={problem} onChange={setProject} />
      {project && (
        <RoleBoxes
          key={project.id}
          legend={words.rolesOf(project.name || project.id)}
          choices={project.roles}
          chosen={new Set(value)}
          onChange={(chosen) => onChange([...chosen])}
          unlisted={unlistedOf(project)}
        />
      )}
    </>
  );
}

type GrantProps = { value: string; onChange: (value: string) => void };

/** Assignments without a grant, or with one of a project's grants. */
export function GrantForm({ value, onChange }: GrantProps) {
  const [project, setProject] = useState<ListedProject>();
  const grants = project?.grants ?? [];
  const unlisted = (project?.totalGrants ?? 0) - grants.length;
  return (
    <div className="stack">
      <ProjectPicker label={words.grantsOfProject} value={project} onChange={setProject} />
      <label className="field">
        {words.projectIs}
        <select value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">{words.isOwned}</option>
          {value !== "" && grants.every(({ id }) => id !== value) && (
            <option value={value}>
              <Name named={{ thing: "grant", id: value }} />
            </option>
          )}
          {grants.map(({ id, organization }) => (
            <option key={id} value={id}>
              {words.grantedTo(organization?.name || organization?.id || id)}
            </option>
          ))}
        </select>
      </label>
      {unlisted > 0 && <p className="hint">{words.moreGrants(unlisted)}</p>}
    </div>
  );
}

type ListFieldProps = {
  label: string;
  value: readonly string[];
  problem: string | undefined;
  onChange: (value: readonly string[]) => void;
};

/** A field to type or paste a list as text. */
function ListField({ label, value, problem, onChange }: ListFieldProps) {
  const field = useId();
  const { state, shown } = useProblem(problem, `${field}-hint`);
  const [text, setText] = useState(() => textOf(value));
  // Another field may have changed the list. The typed text is kept if it has the same meaning.
  const written = JSON.stringify(listOf(text)) === JSON.stringify(value) ? text : textOf(value);
  return (
    <div className="stack">
      <label htmlFor={field}>{label}</label>
      <textarea
        id={field}
        rows={6}
        {...state}
        autoComplete="off"
        spellCheck={false}
        value={written}
        onChange={({ target }) => {
          setText(target.value);
          onChange(listOf(target.value));
        }}
      />
      <p id={`${field}-hint`} className="hint">
        {words.listHint(value.length)}
      </p>
      {shown}
    </div>
  );
}

/** A text in quotation marks, or anything up to a comma or the end of the line. */
const piece = /[^\S\n]*"((?:[^"]|"")*)"[^\S\n]*(?=[,\n]|$)|[^,\n]+/g;

/**
 * Reads ids or keys from a text, one per line or separated by commas, and drops duplicates. One with a comma must be in
 * quotation marks, as in CSV.
 */
export function listOf(text: string): readonly string[] {
  const pieces = [...text.matchAll(piece)].map(([whole, quoted]) => quoted?.replaceAll('""', '"') ?? whole.trim());
  return [...new Set(pieces.filter((one) => one !== ""))];
}

/** Writes a list as such a text, one per line. */
export function textOf(list: readonly string[]): string {
  return list.map((one) => (/[,\n"]|^\s|\s$/.test(one) ? `"${one.replaceAll('"', '""')}"` : one)).join("\n");
}
