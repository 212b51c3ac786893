import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import type { AssignmentsSearch } from "./search.ts";

const Welcome = lazy(async () => ({ default: (await import("../first-steps/welcome.tsx")).Welcome }));

/** Takes the table's place if the list is empty, and says why it may be empty. */
export function NoAssignments({ search }: { search: AssignmentsSearch }) {
  const { filters, page, skipped, ...rest } = search;
  if (page !== undefined) {
    return (
      <section className="notice">
        <h2>There is nothing on this page any more</h2>
        <p>
          <Link to="/" search={{ ...rest, ...(filters !== undefined && { filters }) }}>
            Go to the first page
          </Link>
        </p>
      </section>
    );
  }
  return (
    <>
      <section className="notice">
        <h2>{filters === undefined ? "You see no assignments yet" : "No assignment matches these filters"}</h2>
        <p>
          {filters === undefined ? (
            "What is assigned to you, or where you administer, will stand here."
          ) : (
            <Link to="/" search={rest}>
              Remove all filters
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
