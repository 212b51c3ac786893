import type { DayCount } from "@authorization-service/client";
import { Link } from "@tanstack/react-router";
import { useId, useMemo } from "react";
import type { AssignmentsSearch } from "../assignments/search.ts";
import { overviewWords as words } from "../words/overview.ts";
import { endOf, type Period, timelineOf } from "./periods.ts";
import { assignments, daysText, numberText } from "./wording.ts";

type TableOfPeriod = (period: { from?: number; to: number }) => AssignmentsSearch;

type Props = {
  days: readonly DayCount[];
  /** How many assignments were created before these days. */
  earlier: number;
  /** Whether the newest day alone has too many to be counted. Then there are no days. */
  exceedsLimit: boolean;
  /** The link to the table of assignments created in a period; without a start, of all before its end. */
  tableOfPeriod: TableOfPeriod;
};

/** When assignments were created: as columns, and as a table for those who prefer numbers or the keyboard. */
export function CreatedOverTime({ days, earlier, exceedsLimit, tableOfPeriod }: Props) {
  const heading = useId();
  const { unit, periods } = useMemo(() => timelineOf(days), [days]);
  const first = periods[0];
  const newest = days[0];
  if (!exceedsLimit && (first === undefined || newest === undefined)) return null;

  return (
    <section className="chart chart-wide" aria-labelledby={heading}>
      <h2 id={heading}>{words.created}</h2>
      {exceedsLimit && <p className="muted">{words.newestDayExceedsLimit}</p>}
      {first && newest && (
        <>
          <p className="muted">
            {daysText({ from: first.from, to: endOf(newest.day) })}. {words.columns(words.units[unit])}{" "}
            {days.length === 1 ? words.newestDay : words.newestDays(numberText(days.length))}
            {earlier > 0 && (
              <>
                {" "}
                <Link to="/assignments" search={tableOfPeriod({ to: first.from })}>
                  {words.createdBefore(assignments(earlier))}
                </Link>
              </>
            )}
          </p>
          <Columns periods={periods} tableOfPeriod={tableOfPeriod} />
          <details>
            <summary>{words.asTable}</summary>
            <PeriodTable periods={periods} tableOfPeriod={tableOfPeriod} />
          </details>
        </>
      )}
    </section>
  );
}

type PeriodsProps = { periods: readonly Period[]; tableOfPeriod: TableOfPeriod };

/** A column for each period, for the mouse: dozens of them would be in the way of Tab, and the table has the same links. */
function Columns({ periods, tableOfPeriod }: PeriodsProps) {
  const highest = Math.max(1, ...periods.map(({ count }) => count));
  return (
    <figure className="time-chart">
      <figcaption className="muted">{words.most(numberText(highest))}</figcaption>
      <ol className="time-columns">
        {periods.map((period) => (
          // As wide as the period is long: months differ, and the first one may be a part of one.
          <li key={period.from} style={{ flexGrow: period.to - period.from }}>
            <Link
              to="/assignments"
              search={tableOfPeriod(period)}
              tabIndex={-1}
              title={`${daysText(period)}: ${assignments(period.count)}`}
            >
              <span style={{ height: period.count && `max(1px, ${(100 * period.count) / highest}%)` }} />
            </Link>
          </li>
        ))}
      </ol>
    </figure>
  );
}

/** The columns as a table, newest first. */
function PeriodTable({ periods, tableOfPeriod }: PeriodsProps) {
  return (
    <table className="period-table">
      <thead>
        <tr>
          <th scope="col">{words.tableDays}</th>
          <th scope="col">{words.tableCount}</th>
        </tr>
      </thead>
      <tbody>
        {periods.toReversed().map((period) => (
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
