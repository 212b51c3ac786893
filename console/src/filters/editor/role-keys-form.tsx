import type { ListedProject } from "@authorization-service/client/directory";
import { useState } from "react";
import { ProjectPicker } from "../../pickers/project-picker.tsx";
import { filterWords } from "../../words/filters.ts";
import { ListField, type ListFieldProps } from "./list-field.tsx";

const words = filterWords.editor;

type Props = Omit<ListFieldProps, "label">;

/** Role keys, picked from the roles of a project or given as text. */
export function RoleKeysForm({ list, problem, onChange }: Props) {
  const [project, setProject] = useState<ListedProject>();
  return (
    <div className="stack">
      <ProjectPicker label={words.rolesOfProject} value={project} onChange={setProject} />
      {project !== undefined && <RolesOf project={project} list={list} onChange={onChange} />}
      <ListField label={words.roleKeys} list={list} problem={problem} onChange={onChange} />
    </div>
  );
}

function RolesOf({ project, list, onChange }: Omit<Props, "problem"> & { project: ListedProject }) {
  if (project.roles.length === 0) return <p className="hint">{words.noRoles}</p>;
  const hidden = project.totalRoles - project.roles.length;
  return (
    <fieldset className="choices choices-long">
      <legend>{words.rolesOf(project.name || project.id)}</legend>
      {project.roles.map(({ key, displayName }) => (
        <label key={key}>
          <input
            type="checkbox"
            checked={list.includes(key)}
            onChange={({ target }) => onChange(target.checked ? [...list, key] : list.filter((one) => one !== key))}
          />
          <bdi>{displayName || key}</bdi>
          {displayName !== "" && <bdi className="muted">{key}</bdi>}
        </label>
      ))}
      {hidden > 0 && <p className="hint">{words.moreRoles(hidden)}</p>}
    </fieldset>
  );
}
