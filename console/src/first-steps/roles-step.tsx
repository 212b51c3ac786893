import { KeyAdvice, keysIn } from "../directory-changes/role-keys.tsx";
import { RoleChips } from "../parts/role-chips.tsx";
import { firstStepsWords } from "../words/first-steps.ts";
import { AddForm } from "./add-form.tsx";
import { Next } from "./next.tsx";
import type { StepProps } from "./step-props.ts";

const words = firstStepsWords.roles;
const longestList = 5_000;

/** The roles that people can hold in the project. */
export function RolesStep({ progress: { project }, chosen, onNext }: StepProps) {
  if (project === undefined) return null;
  const isThere = (key: string) => project.roles.some((role) => role.key === key);
  return (
    <>
      <p>{words.advice(project.name)}</p>
      {project.roles.length > 0 && (
        <section aria-label={words.existing} className="step-done">
          <RoleChips roles={project.roles} most={20} />
          <Next search={{ ...chosen, step: "people" }} />
        </section>
      )}
      <AddForm
        label={words.keys}
        hint={words.hint}
        longest={longestList}
        verb={(text) => words.add(keysIn(text).length)}
        changesOf={(text) => {
          const keys = keysIn(text);
          if (keys.length === 0 || keys.some(isThere)) return undefined;
          return keys.map((key) => ({ change: { case: "projectRole", value: { projectId: project.id, key } } }));
        }}
        done={(text) => firstStepsWords.rolesAdded(keysIn(text).length)}
        onDone={() => onNext({ ...chosen, step: "people" })}
      >
        {(text, setText) => {
          const taken = keysIn(text).filter(isThere);
          return (
            <>
              {taken.length > 0 && <p role="status">{words.taken(taken.join(", "))}</p>}
              <KeyAdvice keys={keysIn(text)} onUse={setText} />
            </>
          );
        }}
      </AddForm>
    </>
  );
}
