import type { ListedProject } from "@authorization-service/client/directory";
import { useId, useState } from "react";
import { ProjectPicker } from "../../pickers/project-picker.tsx";
import { IdField } from "./id-field.tsx";

type Props = { id: string; problem: string | undefined; onChange: (id: string) => void };

/** Assignments without a grant, or with one grant, which is picked from a project's grants or given by its id. */
export function GrantForm({ id, problem, onChange }: Props) {
  const name = useId();
  const [isGranted, setGranted] = useState(id !== "");
  const [project, setProject] = useState<ListedProject>();

  return (
    <div className="fields">
      <fieldset className="choices">
        <legend>The project is</legend>
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
          owned by the organization the assignment is in
        </label>
        <label>
          <input type="radio" name={name} checked={isGranted} onChange={() => setGranted(true)} />
          granted to it by a certain grant
        </label>
      </fieldset>
      {isGranted && (
        <>
          <ProjectPicker label="Grants of the project" value={project} onChange={setProject} />
          {project !== undefined && <GrantsOf project={project} id={id} onChange={onChange} />}
          <IdField label="Grant" id={id} problem={problem} onChange={onChange} />
          {id === "" && <p className="hint">Without an id, it stays with owned projects.</p>}
        </>
      )}
    </div>
  );
}

function GrantsOf({ project, id, onChange }: { project: ListedProject; id: string; onChange: (id: string) => void }) {
  const name = useId();
  if (project.grants.length === 0) return <p className="hint">You see no grants of this project.</p>;
  const hidden = project.totalGrants - project.grants.length;
  return (
    <fieldset className="choices choices-long">
      <legend>Granted to</legend>
      {project.grants.map((grant) => (
        <label key={grant.id}>
          <input type="radio" name={name} checked={grant.id === id} onChange={() => onChange(grant.id)} />
          <bdi>{grant.organization?.name || grant.organization?.id}</bdi>
          <bdi className="muted">{grant.id}</bdi>
        </label>
      ))}
      {hidden > 0 && <p className="hint">{hidden} more are not shown: give the id of the grant.</p>}
    </fieldset>
  );
}
