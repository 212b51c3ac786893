import { Link } from "@tanstack/react-router";
import { frameWords } from "../words/frame.ts";
import { pageWords } from "../words/pages.ts";

/** Takes the place of a page about something that doesn't exist, or that the reader may not see. */
export function NotFound({ title, advice }: { title: string; advice: string }) {
  return (
    <section className="notice">
      <title>{pageWords.titleOf(title)}</title>
      <h1>{title}</h1>
      <p>{advice}</p>
      <p>
        <Link to="/assignments">{frameWords.toAssignments}</Link>
      </p>
    </section>
  );
}
