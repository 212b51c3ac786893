import type { ListedProject } from "@authorization-service/client/directory";
import { useId, useState } from "react";
import { ProjectPicker } from "../../pickers/project-picker.tsx";
import { filterEditorWords } from "../../words/filter-editor.ts";
import { IdField } from "./id-form.tsx";
import { ListField } from "./list-form.tsx";
import type { ListFieldProps } from "./thing-fields.tsx";

const words = filterEditorWords;

/** Role keys, picked from the roles of a project or given as text. */
export function RoleKeysForm({ list, problem, onChange }: Omit<ListFieldProps, "label">) {
  const choicesOf = ({ id, name, roles, totalRoles }: ListedProject): ChoicesProps => ({
    legend: words.rolesOf(name || id),
    none: words.noRoles,
    choices: roles.map(({ key, displayName }) => ({
      ...{ id: key, name: displayName || key, detail: displayName && key },
      isChosen: list.includes(key),
    })),
    more: totalRoles > roles.length && words.moreRoles(totalRoles - roles.length),
    onChoose: (key, isChosen) => onChange(isChosen ? [...list, key] : list.filter((one) => one !== key)),
  });
  return (
    <div className="stack">
      <OfProject label={words.rolesOfProject} choicesOf={choicesOf} />
      <ListField label={words.roleKeys} list={list} problem={problem} onChange={onChange} />
    </div>
  );
}

type GrantFormProps = { id: string; problem: string | undefined; onChange: (id: string) => void };

/** Assignments without a grant, or with one grant, which is picked from a project's grants or given by its id. */
export function GrantForm({ id, problem, onChange }: GrantFormProps) {
  const name = useId();
  const [isGranted, setGranted] = useState(id !== "");
  const choicesOf = ({ grants, totalGrants }: ListedProject): ChoicesProps => ({
    legend: words.grantedTo,
    none: words.noGrants,
    choices: grants.map(({ id: grantId, organization }) => ({
      ...{ id: grantId, name: organization?.name || organization?.id, detail: grantId },
      isChosen: grantId === id,
    })),
    isOne: true,
    more: totalGrants > grants.length && words.moreGrants(totalGrants - grants.length),
    onChoose: onChange,
  });
  return (
    <div className="stack">
      <fieldset className="choices">
        <legend>{words.projectIs}</legend>
        <label>
          <input
            type="radio"
            name={name}
            checked={!isGranted}
            onChange={() => {
              setGranted(false);
              onChange("");
            }}
          />
          {words.isOwned}
        </label>
        <label>
          <input type="radio" name={name} checked={isGranted} onChange={() => setGranted(true)} />
          {words.isGranted}
        </label>
      </fieldset>
      {isGranted && (
        <>
          <OfProject label={words.grantsOfProject} choicesOf={choicesOf} />
          <IdField label={words.grant} id={id} problem={problem} onChange={onChange} />
          {id === "" && <p className="hint">{words.ownedWithoutId}</p>}
        </>
      )}
    </div>
  );
}

/** A field for a project, and what can be chosen in it. */
function OfProject(props: { label: string; choicesOf: (project: ListedProject) => ChoicesProps }) {
  const [project, setProject] = useState<ListedProject>();
  return (
    <>
      <ProjectPicker label={props.label} value={project} onChange={setProject} />
      {project !== undefined && <Choices {...props.choicesOf(project)} />}
    </>
  );
}

type ChoicesProps = {
  legend: string;
  /** Shown if there is nothing to choose. */
  none: string;
  choices: readonly { id: string; name: string | undefined; detail: string; isChosen: boolean }[];
  /** Whether one choice replaces another. */
  isOne?: boolean;
  /** About those that are not listed. */
  more: string | false;
  onChoose: (id: string, isChosen: boolean) => void;
};

function Choices({ legend, none, choices, isOne = false, more, onChoose }: ChoicesProps) {
  const group = useId();
  if (choices.length === 0) return <p className="hint">{none}</p>;
  return (
    <fieldset className="choices choices-long">
      <legend>{legend}</legend>
      {choices.map(({ id, name, detail, isChosen }) => (
        <label key={id}>
          <input
            type={isOne ? "radio" : "checkbox"}
            name={isOne ? group : undefined}
            checked={isChosen}
            onChange={({ target }) => onChoose(id, target.checked)}
          />
          <bdi>{name}</bdi>
          {detail !== "" && <bdi className="muted">{detail}</bdi>}
        </label>
      ))}
      {more && <p className="hint">{more}</p>}
    </fieldset>
  );
}
