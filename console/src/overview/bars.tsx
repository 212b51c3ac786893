import { Link } from "@tanstack/react-router";
import { useId } from "react";
import type { AssignmentsSearch } from "../assignments/search.ts";
import { overviewWords as words } from "../words/overview.ts";
import { assignments, numberText, shareText } from "./wording.ts";

export type Bar = {
  readonly key: string;
  readonly name: string;
  /** The name of the group it belongs to. */
  readonly within?: string;
  /** Additional text for the tooltip. */
  readonly detail: string;
  readonly count: number;
  /** The link to the table of the assignments it counts. */
  readonly table: AssignmentsSearch;
};

/** The rest that has no bar, with a link to its table if there is one. */
export type Rest = { readonly text: string; readonly table: AssignmentsSearch | undefined };

type Props = {
  title: string;
  hint?: string;
  bars: readonly Bar[];
  /** The total that all bars are a part of. */
  total: number;
  rest?: Rest | undefined;
};

/** Horizontal bars. The full width is the total, so bars can be compared across charts. Each links to the table of what it counts. */
export function Bars({ title, hint, bars, total, rest }: Props) {
  const heading = useId();
  return (
    <section className="chart" aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {hint && <p className="muted">{hint}</p>}
      {bars.length === 0 && <p className="muted">{words.none}</p>}
      <ol className="bars">
        {bars.map((bar) => (
          <li key={bar.key}>
            <BarLink bar={bar} total={total} />
          </li>
        ))}
      </ol>
      {rest && (
        <p className="bars-rest muted">
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

function BarLink({ bar, total }: { bar: Bar; total: number }) {
  const { name, within, count } = bar;
  const share = shareText(count, total);
  const what = words.bar(within ? words.within(name, within) : name, assignments(count), share);
  return (
    <Link
      to="/assignments"
      search={bar.table}
      className="bar"
      title={[name, within, bar.detail].filter(Boolean).join("\n")}
    >
      <span className="visually-hidden">{what}</span>
      <span className="bar-name" aria-hidden="true">
        <bdi>{name}</bdi>
        {within && <bdi className="muted">{within}</bdi>}
      </span>
      <span className="bar-count" aria-hidden="true">
        {numberText(count)}
      </span>
      <span className="bar-share muted" aria-hidden="true">
        {share}
      </span>
      <span className="bar-track">
        <span className="bar-length" style={{ inlineSize: count && `max(1px, ${(100 * count) / total}%)` }} />
      </span>
    </Link>
  );
}
