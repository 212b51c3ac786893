import { readTexts } from "../directory/search.ts";

/** The steps, in their order. */
export const steps = ["organization", "project", "roles", "people", "assignments", "lines"] as const;

export type Step = (typeof steps)[number];

/** What was chosen in earlier steps, and the step that is shown. Without it, the first one that isn't done. */
export type FirstStepsSearch = { readonly organization?: string; readonly project?: string; readonly step?: Step };

export function readFirstStepsSearch(search: Record<string, unknown>): FirstStepsSearch {
  const step = steps.find((one) => one === search.step);
  return { ...readTexts(search, ["organization", "project"]), ...(step && { step }) };
}
