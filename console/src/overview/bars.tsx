import { Link } from "@tanstack/react-router";
import { useId } from "react";
import type { AssignmentsSearch } from "../assignments/search.ts";
import { assignments, numberText, shareText } from "./wording.ts";

export type Bar = {
  readonly key: string;
  readonly name: string;
  /** What it belongs to, for people. */
  readonly within?: string;
  /** What its tooltip tells besides. */
  readonly detail: string;
  readonly count: number;
  /** The table of what it counts. */
  readonly table: AssignmentsSearch;
};

/** What is not named by a bar, with its table where there is one. */
export type Rest = { readonly text: string; readonly table: AssignmentsSearch | undefined };

type Props = {
  title: string;
  hint?: string;
  bars: readonly Bar[];
  /** Of how many all are a part. */
  total: number;
  rest?: Rest | undefined;
};

/** Horizontal bars, the longest as long as there is room. Each is a link to the table of what it counts. */
export function Bars({ title, hint, bars, total, rest }: Props) {
  const heading = useId();
  const longest = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <section className="chart" aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {hint && <p className="muted">{hint}</p>}
      {bars.length === 0 && <p className="muted">None</p>}
      <ol className="bars">
        {bars.map((bar) => (
          <li key={bar.key}>
            <BarLink bar={bar} total={total} longest={longest} />
          </li>
        ))}
      </ol>
      {rest && (
        <p className="bars-rest muted">
          {rest.table ? (
            <Link to="/" search={rest.table}>
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

function BarLink({ bar, total, longest }: { bar: Bar; total: number; longest: number }) {
  const { name, within, count } = bar;
  const share = shareText(count, total);
  const what = `${name}${within ? ` in ${within}` : ""}: ${assignments(count)}, ${share}`;
  return (
    <Link to="/" search={bar.table} className="bar">
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
      <span className="bar-length" style={{ inlineSize: count && `max(1px, ${(100 * count) / longest}%)` }} />
      <span className="tip" aria-hidden="true">
        {what}
        <br />
        <span className="muted">{bar.detail}</span>
      </span>
    </Link>
  );
}
