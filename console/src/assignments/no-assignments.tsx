import { lazy, Suspense } from "react";
import { Empty } from "../directory/empty.tsx";
import { assignmentWords as words } from "../words/assignments.ts";
import type { AssignmentsSearch } from "./search.ts";

const Welcome = lazy(async () => ({ default: (await import("../first-steps/welcome.tsx")).Welcome }));

/** Takes the place of a list, or of what is counted, if it is empty, and says why it may be empty. */
export function NoAssignments({ search }: { search: AssignmentsSearch }) {
  const { page, skipped: _, ...list } = search;
  if (page !== undefined || list.filters !== undefined) return <Empty words={words} search={search} list={list} />;
  return (
    <Suspense>
      <Welcome />
    </Suspense>
  );
}
