import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { assignmentWords as words } from "../words/assignments.ts";
import type { AssignmentsSearch } from "./search.ts";

const Welcome = lazy(async () => ({ default: (await import("../first-steps/welcome.tsx")).Welcome }));

/** Takes the table's place if the list is empty, and says why it may be empty. */
export function NoAssignments({ search }: { search: AssignmentsSearch }) {
  const { filters, page, skipped, ...rest } = search;
  if (page !== undefined) {
    return (
      <section className="notice">
        <h2>{words.emptyPage}</h2>
        <p>
          <Link to="/assignments" search={{ ...rest, ...(filters !== undefined && { filters }) }}>
            {words.firstPage}
          </Link>
        </p>
      </section>
    );
  }
  if (filters === undefined) {
    return (
      <Suspense>
        <Welcome>
          <section className="notice">
            <h2>{words.empty}</h2>
            <p>{words.emptyAdvice}</p>
          </section>
        </Welcome>
      </Suspense>
    );
  }
  return (
    <section className="notice">
      <h2>{words.nothingMatches}</h2>
      <p>
        <Link to="/assignments" search={rest}>
          {words.removeFilters}
        </Link>
      </p>
    </section>
  );
}
