import type { ReactNode } from "react";

/** Stands for a view whose address has filters that are none. Its child is the way to the view without them. */
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
