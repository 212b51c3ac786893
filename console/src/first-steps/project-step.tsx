import { useState } from "react";
import { firstStepsWords } from "../words/first-steps.ts";
import { AddForm } from "./add-form.tsx";
import type { StepProps } from "./step-props.ts";

const words = firstStepsWords.project;

/** The project whose roles people will hold. */
export function ProjectStep({ progress: { organization, project }, onNext }: StepProps) {
  const [id] = useState(() => crypto.randomUUID());
  if (organization === undefined) return null;
  const organizationId = organization.id;
  const choose = (chosen: string) => onNext({ organization: organizationId, project: chosen, step: "roles" });
  return (
    <>
      <p>{words.advice(organization.name)}</p>
      {project && (
        <div className="page-actions">
          <button type="button" onClick={() => choose(project.id)}>
            {words.existing(project.name)}
          </button>
        </div>
      )}
      <AddForm
        label={words.name}
        verb={() => words.add}
        changesOf={(name) =>
          name === "" ? undefined : [{ change: { case: "project", value: { id, name, organizationId } } }]
        }
        done={firstStepsWords.added}
        onDone={() => choose(id)}
      />
    </>
  );
}
