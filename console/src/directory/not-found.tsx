import type { ReactNode } from "react";
import { pageWords } from "../words/pages.ts";

/** Takes the place of a page about something that doesn't exist, or that the reader may not see. */
export function NotFound({ title, advice, children }: { title: string; advice: string; children: ReactNode }) {
  return (
    <section className="notice">
      <title>{pageWords.titleOf(title)}</title>
      <h1>{title}</h1>
      <p>{advice}</p>
      <p>{children}</p>
    </section>
  );
}
