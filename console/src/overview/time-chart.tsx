import { Link } from "@tanstack/react-router";
import { scaleLinear } from "@visx/scale";
import { type KeyboardEvent, useRef, useState } from "react";
import type { AssignmentsSearch } from "../assignments/search.ts";
import type { Period, Timeline } from "./periods.ts";
import { useWidth } from "./use-width.ts";
import { assignments, daysText, labelBelow, numberText } from "./wording.ts";

type Props = { timeline: Timeline; tableOfPeriod: (period: Period) => AssignmentsSearch };

/** The width of a label below the columns, in pixels. */
const labelWidth = 88;

/** A column for each period, which links to the table of what it counts. The arrow keys move between them. */
export function TimeChart({ timeline: { unit, periods }, tableOfPeriod }: Props) {
  const columns = useRef<HTMLOListElement>(null);
  const width = useWidth(columns);
  const [current, setCurrent] = useState(periods.length - 1);
  const reachable = Math.min(current, periods.length - 1);

  // Periods are as wide as they are long: months differ, and the first period may be a part of one.
  const start = periods[0]?.from ?? 0;
  const length = (periods.at(-1)?.to ?? 1) - start;
  const placeOf = ({ from }: Period) => (from - start) / length;
  const shareOf = ({ from, to }: Period) => (to - from) / length;

  const highest = Math.max(1, ...periods.map(({ count }) => count));
  const scale = scaleLinear({ domain: [0, highest], range: [0, 100], nice: 4 });
  const ticks = scale.ticks(4).filter(Number.isInteger);
  const columnsOfLabel = Math.max(1, Math.ceil((labelWidth * periods.length) / width));
  // No label if it would be cut off.
  const isLabelled = (index: number) =>
    index % columnsOfLabel === 0 && (index === 0 || index + columnsOfLabel <= periods.length);

  return (
    <div className="time-chart">
      <div className="time-ticks" aria-hidden="true">
        <span className="time-widest-tick">{numberText(ticks.at(-1) ?? 0)}</span>
        {ticks.map((tick) => (
          <span key={tick} className="time-tick" style={{ bottom: `${scale(tick)}%` }}>
            {numberText(tick)}
          </span>
        ))}
      </div>
      <div className="time-plot">
        {ticks.map((tick) => (
          <span key={tick} className="time-line" style={{ bottom: `${scale(tick)}%` }} />
        ))}
        <ol ref={columns} className="time-columns" onKeyDown={(event) => moveBetweenColumns(event, setCurrent)}>
          {periods.map((period, index) => (
            <li key={period.from} style={{ flexGrow: shareOf(period) * periods.length }}>
              <Link
                to="/assignments"
                search={tableOfPeriod(period)}
                tabIndex={index === reachable ? 0 : -1}
                onFocus={() => setCurrent(index)}
                aria-label={`${daysText(period)}: ${assignments(period.count)}`}
              >
                <span className="time-column" style={{ height: period.count && `max(1px, ${scale(period.count)}%)` }} />
                <Tip period={period} at={100 * (placeOf(period) + shareOf(period) / 2)} />
              </Link>
            </li>
          ))}
        </ol>
      </div>
      <div className="time-labels muted" aria-hidden="true">
        {periods.map(
          (period, index) =>
            isLabelled(index) && (
              <span key={period.from} style={{ left: `${100 * placeOf(period)}%` }}>
                {labelBelow(period, unit)}
              </span>
            ),
        )}
      </div>
    </div>
  );
}

/** Above the columns. Further to the right, it is shifted left, so it stays within the chart. */
function Tip({ period, at }: { period: Period; at: number }) {
  return (
    <span className="tip" aria-hidden="true" style={{ left: `${at}%`, translate: `-${at}% 0` }}>
      {daysText(period)} (UTC)
      <br />
      {assignments(period.count)}
    </span>
  );
}

function moveBetweenColumns(event: KeyboardEvent<HTMLElement>, setCurrent: (index: number) => void) {
  const links = [...event.currentTarget.querySelectorAll("a")];
  const from = links.indexOf(document.activeElement as HTMLAnchorElement);
  const target = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: links.length - 1 }[event.key];
  if (from < 0 || target === undefined || links[target] === undefined) return;
  event.preventDefault();
  setCurrent(target);
  links[target].focus();
}
