import { type ReactNode, useState } from "react";
import { pageWords } from "../words/pages.ts";

/** How many rows are rendered at once. */
const atOnce = 100;

/** The first of many rows, and the button that shows more of them. */
export function useMore<Row>(rows: readonly Row[]): [shown: readonly Row[], more: ReactNode] {
  const [most, setMost] = useState(atOnce);
  const left = rows.length - most;
  const more = left > 0 && (
    <button type="button" onClick={() => setMost(most + atOnce)}>
      {pageWords.showMore(left)}
    </button>
  );
  return [rows.slice(0, most), more];
}
