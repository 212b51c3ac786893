import type { DayCount } from "@authorization-service/client";
import { Link } from "@tanstack/react-router";
import { useId, useMemo, useRef } from "react";
import type { AssignmentsSearch } from "../assignments/search.ts";
import { overviewWords as words } from "../words/overview.ts";
import { endOf, type Period, type Timeline, timelineOf } from "./periods.ts";
import { TimeChart } from "./time-chart.tsx";
import { useWidth } from "./use-width.ts";
import { assignments, daysText, numberText } from "./wording.ts";

type Props = {
  days: readonly DayCount[];
  /** How many assignments were created before these days. */
  earlier: number;
  /** Whether the newest day alone has too many to be counted. Then there are no days. */
  exceedsLimit: boolean;
  /** The link to the table of assignments created in a period; without a start, of all before its end. */
  tableOfPeriod: (period: { from?: number; to: number }) => AssignmentsSearch;
};

/** The minimum width of a column in pixels, and the maximum number of columns. */
const narrowest = 9;
const mostColumns = 62;

/** When assignments were created: as columns, and as a table for those who prefer numbers. */
export function CreatedOverTime({ days, earlier, exceedsLimit, tableOfPeriod }: Props) {
  const heading = useId();
  const section = useRef<HTMLElement>(null);
  const width = useWidth(section);
  const most = Math.min(mostColumns, Math.max(12, Math.floor(width / narrowest)));
  const timeline = useMemo(() => timelineOf(days, most), [days, most]);
  const first = timeline.periods[0];
  const newest = days[0];
  if (exceedsLimit) {
    return (
      <section className="chart chart-wide" aria-labelledby={heading}>
        <h2 id={heading}>{words.created}</h2>
        <p className="muted">{words.newestDayExceedsLimit}</p>
      </section>
    );
  }
  if (first === undefined || newest === undefined) return null;

  return (
    <section ref={section} className="chart chart-wide" aria-labelledby={heading}>
      <h2 id={heading}>{words.created}</h2>
      <p className="muted">
        {daysText({ from: first.from, to: endOf(newest.day) })}. {words.columns(words.units[timeline.unit])}{" "}
        {newestDays(days.length)}
        {earlier > 0 && (
          <>
            {" "}
            <Link to="/assignments" search={tableOfPeriod({ to: first.from })}>
              {words.createdBefore(assignments(earlier))}
            </Link>
          </>
        )}
      </p>
      <TimeChart timeline={timeline} tableOfPeriod={tableOfPeriod} />
      <details>
        <summary>{words.asTable}</summary>
        <PeriodTable timeline={timeline} tableOfPeriod={tableOfPeriod} />
      </details>
    </section>
  );
}

function newestDays(count: number): string {
  return count === 1 ? words.newestDay : words.newestDays(numberText(count));
}

/** The columns as a table, newest first. */
function PeriodTable({ timeline, tableOfPeriod }: { timeline: Timeline; tableOfPeriod: Props["tableOfPeriod"] }) {
  const newestFirst: readonly Period[] = timeline.periods.toReversed();
  return (
    <table className="period-table">
      <thead>
        <tr>
          <th scope="col">{words.tableDays}</th>
          <th scope="col">{words.tableCount}</th>
        </tr>
      </thead>
      <tbody>
        {newestFirst.map((period) => (
          <tr key={period.from}>
            <th scope="row">
              <Link to="/assignments" search={tableOfPeriod(period)}>
                {daysText(period)}
              </Link>
            </th>
            <td>{numberText(period.count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
