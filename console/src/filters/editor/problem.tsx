import { useId } from "react";

/**
 * What a field says about its problem, if there is one, and the problem itself, which is shown below it. `hint` is the id
 * of what else describes the field.
 */
export function useProblem(text: string | undefined, hint?: string) {
  const id = useId();
  const isProblem = text !== undefined;
  return {
    state: {
      "aria-invalid": isProblem || undefined,
      "aria-describedby": [hint, isProblem && id].filter(Boolean).join(" ") || undefined,
    },
    shown: isProblem && (
      <p id={id} className="problem">
        {text}
      </p>
    ),
  };
}
