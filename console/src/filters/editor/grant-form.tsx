import type { ListedProject } from "@authorization-service/client/directory";
import { useId, useState } from "react";
import { ProjectPicker } from "../../pickers/project-picker.tsx";
import { filterWords } from "../../words/filters.ts";
import { IdField } from "./id-field.tsx";

const words = filterWords.editor;

type Props = { id: string; problem: string | undefined; onChange: (id: string) => void };

/** Assignments without a grant, or with one grant, which is picked from a project's grants or given by its id. */
export function GrantForm({ id, problem, onChange }: Props) {
  const name = useId();
  const [isGranted, setGranted] = useState(id !== "");
  const [project, setProject] = useState<ListedProject>();

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
          <ProjectPicker label={words.grantsOfProject} value={project} onChange={setProject} />
          {project !== undefined && <GrantsOf project={project} id={id} onChange={onChange} />}
          <IdField label={words.grant} id={id} problem={problem} onChange={onChange} />
          {id === "" && <p className="hint">{words.ownedWithoutId}</p>}
        </>
      )}
    </div>
  );
}

function GrantsOf({ project, id, onChange }: { project: ListedProject; id: string; onChange: (id: string) => void }) {
  const name = useId();
  if (project.grants.length === 0) return <p className="hint">{words.noGrants}</p>;
  const hidden = project.totalGrants - project.grants.length;
  return (
    <fieldset className="choices choices-long">
      <legend>{words.grantedTo}</legend>
      {project.grants.map((grant) => (
        <label key={grant.id}>
          <input type="radio" name={name} checked={grant.id === id} onChange={() => onChange(grant.id)} />
          <bdi>{grant.organization?.name || grant.organization?.id}</bdi>
          <bdi className="muted">{grant.id}</bdi>
        </label>
      ))}
      {hidden > 0 && <p className="hint">{words.moreGrants(hidden)}</p>}
    </fieldset>
  );
}
