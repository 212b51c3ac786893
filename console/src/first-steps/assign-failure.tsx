import { ChangeFailure } from "../directory-changes/change-failure.tsx";
import { failureOfItem } from "../parts/failure.ts";
import { personName } from "../parts/links.tsx";
import { firstStepsWords } from "../words/first-steps.ts";
import type { Outcome } from "./use-assigning.ts";

const words = firstStepsWords.assignments;

/** Who got no assignment, and why. */
export function AssignFailure({ outcome: { failure, refused = [] } }: { outcome: Outcome }) {
  if (refused.length === 0) return <ChangeFailure failure={failure} uncertain={words.uncertain} />;
  return (
    <section className="notice-failure" role="alert">
      <p>{words.failed}</p>
      <ul>
        {refused.map(({ user, error }) => {
          const { title, advice } = failureOfItem(error);
          return (
            <li key={user.id}>
              <bdi>{personName(user)}</bdi>: {title}. {advice}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
