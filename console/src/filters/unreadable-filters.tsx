import type { ReactNode } from "react";
import { filterWords } from "../words/filters.ts";

/** Takes the place of a view if the filters in its address are invalid. Its child links to the view without them. */
export function UnreadableFilters({ problem, children }: { problem: string; children: ReactNode }) {
  return (
    <section className="notice notice-failure" role="alert">
      <h1>{filterWords.unreadable.title}</h1>
      <p>{filterWords.unreadable.advice}</p>
      <p>{children}</p>
      <details>
        <summary>{filterWords.unreadable.details}</summary>
        <p>{problem}</p>
      </details>
    </section>
  );
}
