import type { FirstStepsSearch } from "./search.ts";
import type { Progress } from "./use-progress.ts";

/** What each step gets. */
export type StepProps = {
  progress: Progress;
  /** What earlier steps have chosen, as the address names it. */
  chosen: FirstStepsSearch;
  onNext: (search: FirstStepsSearch) => void;
};
