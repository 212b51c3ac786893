import { PeopleForm, useList } from "../add-people/people-form.tsx";
import { announce } from "../parts/announcements.tsx";
import { addPeopleWords } from "../words/add-people.ts";
import { firstStepsWords } from "../words/first-steps.ts";
import { Next } from "./next.tsx";
import type { StepProps } from "./step-props.ts";

const words = firstStepsWords.people;

/** The first people of the organization, typed or pasted. */
export function PeopleStep({ progress: { organization, people }, chosen, onNext }: StepProps) {
  const list = useList();
  if (organization === undefined) return null;

  function done({ length }: readonly unknown[]) {
    announce({ text: addPeopleWords.added(length, organization?.name ?? "") });
    onNext({ ...chosen, step: "assignments" });
  }

  return (
    <>
      <p>{words.advice(organization.name)}</p>
      {people > 0 && (
        <div className="step-done">
          <p>{words.existing(people, organization.name)}</p>
          <Next search={{ ...chosen, step: "assignments" }} />
        </div>
      )}
      <PeopleForm
        organizationId={organization.id}
        list={list}
        reason={{ text: firstStepsWords.reason, isMissing: false }}
        onDone={done}
      />
    </>
  );
}
