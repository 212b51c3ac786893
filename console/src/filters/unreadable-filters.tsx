import type { ReactNode } from "react";

/** Takes the place of a view if the filters in its address are invalid. Its child links to the view without them. */
export function UnreadableFilters({ problem, children }: { problem: string; children: ReactNode }) {
  return (
    <section className="notice notice-failure" role="alert">
      <h1>This link has filters that cannot be read</h1>
      <p>It may have been cut off. Ask for it again, or begin without filters.</p>
      <p>{children}</p>
      <details>
        <summary>Details</summary>
        <p>{problem}</p>
      </details>
    </section>
  );
}
