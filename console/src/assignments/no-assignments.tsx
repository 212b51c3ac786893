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
          <Link to="/" search={{ ...rest, ...(filters !== undefined && { filters }) }}>
            {words.firstPage}
          </Link>
        </p>
      </section>
    );
  }
  return (
    <>
      <section className="notice">
        <h2>{filters === undefined ? words.empty : words.nothingMatches}</h2>
        <p>
          {filters === undefined ? (
            words.emptyAdvice
          ) : (
            <Link to="/" search={rest}>
              {words.removeFilters}
            </Link>
          )}
        </p>
      </section>
      {filters === undefined && (
        <Suspense>
          <Welcome />
        </Suspense>
      )}
    </>
  );
}
