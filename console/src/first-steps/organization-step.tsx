import { useState } from "react";
import { firstStepsWords } from "../words/first-steps.ts";
import { AddForm } from "./add-form.tsx";
import type { StepProps } from "./step-props.ts";

const words = firstStepsWords.organization;

/** Which organization to begin with: the reader's own, or a new one. */
export function OrganizationStep({ progress: { own }, onNext }: StepProps) {
  const [id] = useState(() => crypto.randomUUID());
  const choose = (organization: string) => onNext({ organization, step: "project" });
  return (
    <>
      <p>{words.advice}</p>
      {own && (
        <div className="page-actions">
          <button type="button" className="primary" onClick={() => choose(own.id)}>
            {words.existing(own.name)}
          </button>
        </div>
      )}
      <h3>{words.other}</h3>
      <AddForm
        label={words.name}
        verb={() => words.add}
        changesOf={(name) => (name === "" ? undefined : [{ change: { case: "organization", value: { id, name } } }])}
        done={firstStepsWords.added}
        onDone={() => choose(id)}
      />
    </>
  );
}
