import { Link } from "@tanstack/react-router";
import { useId } from "react";
import type { AssignmentsSearch } from "../assignments/search.ts";
import type { Option } from "../facets/choices.ts";
import { overviewWords as words } from "../words/overview.ts";
import { assignments, numberText, shareText } from "./wording.ts";

export type Bar = Omit<Option, "choice"> & {
  /** The link to the table of the assignments it counts. */
  readonly table: AssignmentsSearch;
};

/** The rest that has no bar, with a link to its table if there is one. */
export type Rest = { readonly text: string; readonly table?: AssignmentsSearch | undefined };

type Props = {
  title: string;
  hint?: string;
  bars: readonly Bar[];
  /** The total that all bars are a part of. */
  total: number;
  /** The count with a bar of the full width. It is the total, so bars can be compared across charts, unless that is too much. */
  longest?: number;
  rest?: Rest | undefined;
};

/** Horizontal bars. Each links to the table of what it counts. */
export function Bars({ title, hint, bars, total, longest = total, rest }: Props) {
  const heading = useId();
  return (
    <section className="chart stack" aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {hint && <p className="muted">{hint}</p>}
      {bars.length === 0 && !rest && <p className="muted">{words.none}</p>}
      <ol className="bars">
        {bars.map(({ key, name = key, detail: within, count = 0, table }) => {
          const share = shareText(count, total);
          return (
            <li key={key}>
              <Link to="/assignments" search={table} className="bar" title={within ? `${name}\n${within}` : name}>
                <span className="visually-hidden">
                  {words.bar(within ? words.within(name, within) : name, assignments(count), share)}
                </span>
                <span className="bar-name" aria-hidden="true">
                  <bdi>{name}</bdi> {within && <bdi className="muted">{within}</bdi>}
                </span>
                <span aria-hidden="true">{numberText(count)}</span>
                <span className="muted" aria-hidden="true">
                  {longest === total && share}
                </span>
                <span className="bar-length" style={{ inlineSize: count && `max(1px, ${(100 * count) / longest}%)` }} />
              </Link>
            </li>
          );
        })}
      </ol>
      {rest && (
        <p className="muted">
          {rest.table ? (
            <Link to="/assignments" search={rest.table}>
              {rest.text}
            </Link>
          ) : (
            rest.text
          )}
        </p>
      )}
    </section>
  );
}
